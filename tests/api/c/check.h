/* What the C tests check with. A failure is printed and counted; the test goes on. */
#pragma once

#include <abut/abut.h>
#include <stdio.h>
#include <string.h>

extern int failures;

#define CHECK(condition)   \
    ((condition) ? (void)0 \
                 : (void)(++failures, fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition)))

/* A call that must run: its message otherwise. */
#define RUNS(call)                                                                                    \
    do {                                                                                              \
        abut_error error;                                                                             \
        if ((call) != ABUT_OK)                                                                        \
            ++failures, fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, error.message); \
        CHECK(error.code == ABUT_OK && error.message[0] == '\0');                                     \
    } while (0)

/* A call that must be refused with this code and a message that has `part` in it. */
#define REFUSED(expected, part, call)                                                          \
    do {                                                                                       \
        abut_error error;                                                                      \
        CHECK((call) == (expected) && error.code == (expected));                               \
        if (strstr(error.message, part) == NULL)                                               \
            ++failures, fprintf(stderr, "%s:%d: \"%s\"\n", __FILE__, __LINE__, error.message); \
    } while (0)

void test_errors(void);
void test_memory(void); /* first: the library must not hold memory */
void test_motions(void);
void test_plane(void);
void test_queries(void);
void test_shapes(void);
void test_structs(void);
void test_surfaces(void);
void test_broad(void);
void test_warm_loop(void);
void test_world(void);
