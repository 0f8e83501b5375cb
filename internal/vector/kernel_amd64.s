#include "textflag.h"

// Components are widened to int16, multiplied and added in pairs to int32: exact for every int8, -128 included.
// Four vectors at a time share the widened query.

// func dotsAVX2(query, base *int8, stride, width, count int, out *int32)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-48
	MOVQ query+0(FP), SI
	MOVQ base+8(FP), DI
	MOVQ stride+16(FP), R8
	MOVQ width+24(FP), CX
	MOVQ count+32(FP), DX
	MOVQ out+40(FP), BX

four:
	CMPQ  DX, $4
	JLT   one
	LEAQ  (DI)(R8*1), R9
	LEAQ  (R9)(R8*1), R10
	LEAQ  (R10)(R8*1), R11
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ  AX, AX

fourBlock:
	VPMOVSXBW (SI)(AX*1), Y0
	VPMOVSXBW (DI)(AX*1), Y8
	VPMOVSXBW (R9)(AX*1), Y9
	VPMOVSXBW (R10)(AX*1), Y10
	VPMOVSXBW (R11)(AX*1), Y11
	VPMADDWD  Y0, Y8, Y8
	VPMADDWD  Y0, Y9, Y9
	VPMADDWD  Y0, Y10, Y10
	VPMADDWD  Y0, Y11, Y11
	VPADDD    Y8, Y4, Y4
	VPADDD    Y9, Y5, Y5
	VPADDD    Y10, Y6, Y6
	VPADDD    Y11, Y7, Y7
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       fourBlock

	// Each 128-bit half becomes the four partial sums, in the order of the vectors.
	VPHADDD      Y5, Y4, Y4
	VPHADDD      Y7, Y6, Y6
	VPHADDD      Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD       X5, X4, X4
	VMOVDQU      X4, (BX)
	ADDQ         $16, BX
	LEAQ         (R11)(R8*1), DI
	SUBQ         $4, DX
	JMP          four

one:
	TESTQ DX, DX
	JZ    done
	VPXOR Y4, Y4, Y4
	XORQ  AX, AX

oneBlock:
	VPMOVSXBW (SI)(AX*1), Y0
	VPMOVSXBW (DI)(AX*1), Y8
	VPMADDWD  Y0, Y8, Y8
	VPADDD    Y8, Y4, Y4
	ADDQ      $16, AX
	CMPQ      AX, CX
	JLT       oneBlock

	VEXTRACTI128 $1, Y4, X5
	VPADDD       X5, X4, X4
	VPHADDD      X4, X4, X4
	VPHADDD      X4, X4, X4
	VMOVD        X4, (BX)
	ADDQ         $4, BX
	ADDQ         R8, DI
	DECQ         DX
	JMP          one

done:
	VZEROUPPER
	RET

// func accumulateAVX2(sum *float32, row *int8, scale float32, width int)
TEXT ·accumulateAVX2(SB), NOSPLIT, $0-32
	MOVQ         sum+0(FP), DI
	MOVQ         row+8(FP), SI
	VBROADCASTSS scale+16(FP), Y0
	MOVQ         width+24(FP), CX
	XORQ         AX, AX
	MOVQ         CX, DX
	ANDQ         $-32, DX
	JZ           rest

wide:
	VPMOVSXBD (SI)(AX*1), Y1
	VPMOVSXBD 8(SI)(AX*1), Y2
	VPMOVSXBD 16(SI)(AX*1), Y3
	VPMOVSXBD 24(SI)(AX*1), Y4
	VCVTDQ2PS Y1, Y1
	VCVTDQ2PS Y2, Y2
	VCVTDQ2PS Y3, Y3
	VCVTDQ2PS Y4, Y4
	VMULPS    Y0, Y1, Y1
	VMULPS    Y0, Y2, Y2
	VMULPS    Y0, Y3, Y3
	VMULPS    Y0, Y4, Y4
	VADDPS    (DI)(AX*4), Y1, Y1
	VADDPS    32(DI)(AX*4), Y2, Y2
	VADDPS    64(DI)(AX*4), Y3, Y3
	VADDPS    96(DI)(AX*4), Y4, Y4
	VMOVUPS   Y1, (DI)(AX*4)
	VMOVUPS   Y2, 32(DI)(AX*4)
	VMOVUPS   Y3, 64(DI)(AX*4)
	VMOVUPS   Y4, 96(DI)(AX*4)
	ADDQ      $32, AX
	CMPQ      AX, DX
	JLT       wide

rest:
	CMPQ      AX, CX
	JGE       finish
	VPMOVSXBD (SI)(AX*1), Y1
	VCVTDQ2PS Y1, Y1
	VMULPS    Y0, Y1, Y1
	VADDPS    (DI)(AX*4), Y1, Y1
	VMOVUPS   Y1, (DI)(AX*4)
	ADDQ      $8, AX
	JMP       rest

finish:
	VZEROUPPER
	RET

// func dotFloatsAVX2(a, b *float32, width int, r *[8]float32)
TEXT ·dotFloatsAVX2(SB), NOSPLIT, $0-32
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   width+16(FP), CX
	MOVQ   r+24(FP), BX
	VXORPS Y0, Y0, Y0
	XORQ   AX, AX

product:
	VMOVUPS (SI)(AX*4), Y1
	VMULPS  (DI)(AX*4), Y1, Y1
	VADDPS  Y1, Y0, Y0
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     product

	VMOVUPS Y0, (BX)
	VZEROUPPER
	RET

// func addFloatsAVX2(sum, v *float32, width int)
TEXT ·addFloatsAVX2(SB), NOSPLIT, $0-24
	MOVQ sum+0(FP), DI
	MOVQ v+8(FP), SI
	MOVQ width+16(FP), CX
	XORQ AX, AX

addition:
	VMOVUPS (DI)(AX*4), Y0
	VADDPS  (SI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ    $8, AX
	CMPQ    AX, CX
	JLT     addition

	VZEROUPPER
	RET
