package kernel

// Error numbers of Linux that calls answer with, negated.
const (
	ePERM     = 1
	eNOENT    = 2
	eSRCH     = 3
	eINTR     = 4
	eBADF     = 9
	eAGAIN    = 11
	eNOMEM    = 12
	eFAULT    = 14
	eBUSY     = 16
	eEXIST    = 17
	eNODEV    = 19
	eMFILE    = 24
	eRANGE    = 34
	eINVAL    = 22
	eNOSYS    = 38
	eDEADLK   = 35
	eTIMEDOUT = 110
)
