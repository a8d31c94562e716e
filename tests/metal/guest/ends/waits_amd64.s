#include "textflag.h"

// func stopInterrupts()
TEXT ·stopInterrupts(SB),NOSPLIT,$8-0
	CLI
here:
	PAUSE // stands: closed
	JMP	here
