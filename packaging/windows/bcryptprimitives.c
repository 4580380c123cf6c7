/*
 * bcryptprimitives.c - for Wine 8, Debian 12's, which lacks the one function of bcryptprimitives.dll that Go's runtime calls. Windows and
 * Wine 9 have it.
 */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length); /* random bytes, from advapi32 */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
