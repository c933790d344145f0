/** @file
   The version of these headers, in C and C++; also the package's. */
#pragma once

/** It grows if programs must change, from 1.0 on. */
#define ABUT_VERSION_MAJOR 0
/** It grows if programs may have to change, until 1.0. */
#define ABUT_VERSION_MINOR 1
/** It grows if no program has to change. */
#define ABUT_VERSION_PATCH 0
/** As text. */
#define ABUT_VERSION "0.1.0"
