/*
 * glibc.h - lets a library that is built on a new glibc run on an old one. build.sh includes it before every C file.
 *
 * glibc 2.34 moved the functions of libpthread and libdl into libc and gave them a new version; a program linked there requests the new
 * version and does not start on anything older, though the function is the same. So the earlier version is requested by
 * name, which every later glibc has kept, and libpthread.so.0 and libdl.so.2 are named as needed, where old ones have them.
 *
 * memcpy's version of 2.14 is left alone: it is older than any kernel that Go's runtime still runs on.
 */
#ifndef CCD_GLIBC_H
#define CCD_GLIBC_H

/* The first glibc of the processor. No header is included here: the file that comes next chooses the features it wants. */
#if defined(__gnu_linux__) && !defined(__ASSEMBLER__)
#if defined(__x86_64__)
#define CCD_GLIBC_BASE "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define CCD_GLIBC_BASE "GLIBC_2.17"
#endif
#endif

#ifdef CCD_GLIBC_BASE
#define CCD_GLIBC_OLD(name) __asm__(".symver " #name "," #name "@" CCD_GLIBC_BASE);
CCD_GLIBC_OLD(pthread_attr_getstack)
CCD_GLIBC_OLD(pthread_attr_getstacksize)
CCD_GLIBC_OLD(pthread_create)
CCD_GLIBC_OLD(pthread_getattr_np)
CCD_GLIBC_OLD(pthread_getspecific)
CCD_GLIBC_OLD(pthread_key_create)
CCD_GLIBC_OLD(pthread_setspecific)
CCD_GLIBC_OLD(pthread_sigmask)
CCD_GLIBC_OLD(dlopen)
CCD_GLIBC_OLD(dlsym)
#endif

#endif /* CCD_GLIBC_H */
