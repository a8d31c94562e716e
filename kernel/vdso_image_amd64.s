#include "textflag.h"

// The ELF image that names the clock functions of vdso_amd64.s, as Linux's vDSO
// does. It holds no code. Its one segment says that it is linked where it
// stands, so that what is loaded is moved by 0 and every address in it, the
// functions' too, is a plain address that the linker has filled in.

// ELF header.
DATA	·vdsoImage+0(SB)/8, $"\x7fELF\x02\x01\x01\x00" // 64 bits, little endian
DATA	·vdsoImage+16(SB)/8, $0x00000001003e0003        // shared object, x86-64, version 1
DATA	·vdsoImage+32(SB)/8, $64                         // program headers
DATA	·vdsoImage+48(SB)/8, $0x0038004000000000        // sizes of this and of a program header
DATA	·vdsoImage+56(SB)/8, $2                          // of which there are two

// Program headers: what is loaded, and the dynamic section.
DATA	·vdsoImage+64(SB)/8, $0x0000000400000001 // PT_LOAD, readable
DATA	·vdsoImage+80(SB)/8, $·vdsoImage(SB)
DATA	·vdsoImage+88(SB)/8, $·vdsoImage(SB)
DATA	·vdsoImage+96(SB)/8, $560
DATA	·vdsoImage+104(SB)/8, $560
DATA	·vdsoImage+112(SB)/8, $16
DATA	·vdsoImage+120(SB)/8, $0x0000000400000002 // PT_DYNAMIC, readable
DATA	·vdsoImage+128(SB)/8, $176
DATA	·vdsoImage+136(SB)/8, $·vdsoImage+176(SB)
DATA	·vdsoImage+144(SB)/8, $·vdsoImage+176(SB)
DATA	·vdsoImage+152(SB)/8, $160
DATA	·vdsoImage+160(SB)/8, $160
DATA	·vdsoImage+168(SB)/8, $8

// Dynamic section.
DATA	·vdsoImage+176(SB)/8, $4 // DT_HASH
DATA	·vdsoImage+184(SB)/8, $·vdsoImage+408(SB)
DATA	·vdsoImage+192(SB)/8, $5 // DT_STRTAB
DATA	·vdsoImage+200(SB)/8, $·vdsoImage+496(SB)
DATA	·vdsoImage+208(SB)/8, $6 // DT_SYMTAB
DATA	·vdsoImage+216(SB)/8, $·vdsoImage+336(SB)
DATA	·vdsoImage+224(SB)/8, $10 // DT_STRSZ
DATA	·vdsoImage+232(SB)/8, $64
DATA	·vdsoImage+240(SB)/8, $11 // DT_SYMENT
DATA	·vdsoImage+248(SB)/8, $24
DATA	·vdsoImage+256(SB)/8, $14 // DT_SONAME
DATA	·vdsoImage+264(SB)/8, $52
DATA	·vdsoImage+272(SB)/8, $0x6ffffff0 // DT_VERSYM
DATA	·vdsoImage+280(SB)/8, $·vdsoImage+432(SB)
DATA	·vdsoImage+288(SB)/8, $0x6ffffffc // DT_VERDEF
DATA	·vdsoImage+296(SB)/8, $·vdsoImage+440(SB)
DATA	·vdsoImage+304(SB)/8, $0x6ffffffd // DT_VERDEFNUM
DATA	·vdsoImage+312(SB)/8, $2
// 320: DT_NULL

// Symbols: none, then two global functions with absolute addresses.
DATA	·vdsoImage+360(SB)/8, $0xfff1001200000001
DATA	·vdsoImage+368(SB)/8, $·vdsoClockGettime(SB)
DATA	·vdsoImage+384(SB)/8, $0xfff1001200000016
DATA	·vdsoImage+392(SB)/8, $·vdsoGettimeofday(SB)

// Hash table: one bucket, whose chain is 1, 2.
DATA	·vdsoImage+408(SB)/8, $0x0000000300000001
DATA	·vdsoImage+416(SB)/8, $0x0000000000000001
DATA	·vdsoImage+424(SB)/8, $0x0000000000000002

// Version of each symbol.
DATA	·vdsoImage+432(SB)/8, $0x0000000200020000

// Versions: the image's own name, and LINUX_2.6, under which Linux's vDSO has
// the same functions; programs ask for that one.
DATA	·vdsoImage+440(SB)/8, $0x0001000100010001
DATA	·vdsoImage+448(SB)/8, $0x00000014089adb2f // hash of the name; its entry is 20 bytes on
DATA	·vdsoImage+456(SB)/8, $0x000000340000001c // the next version; the name
DATA	·vdsoImage+468(SB)/8, $0x0001000200000001
DATA	·vdsoImage+476(SB)/8, $0x0000001403ae75f6
DATA	·vdsoImage+484(SB)/8, $0x0000002a00000000

// Names, by offset from 496.
DATA	·vdsoImage+497(SB)/8, $"__vdso_c"
DATA	·vdsoImage+505(SB)/8, $"lock_get"
DATA	·vdsoImage+513(SB)/4, $"time"
DATA	·vdsoImage+518(SB)/8, $"__vdso_g"
DATA	·vdsoImage+526(SB)/8, $"ettimeof"
DATA	·vdsoImage+534(SB)/3, $"day"
DATA	·vdsoImage+538(SB)/8, $"LINUX_2."
DATA	·vdsoImage+546(SB)/1, $"6"
DATA	·vdsoImage+548(SB)/8, $"hearth.s"
DATA	·vdsoImage+556(SB)/1, $"o"
GLOBL	·vdsoImage(SB), RODATA|NOPTR, $560
