/* bcryptprimitives.dll for Wine 8 and earlier, which have none. Rust's standard library needs this function only. */

#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return RtlGenRandom(data, (ULONG)length);
}
