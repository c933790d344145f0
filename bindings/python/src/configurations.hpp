// abut.Configurations: checked once, read in place by every call that gets it.
#pragma once

#include <memory>

#include <abut/configurations.hpp>

#include "arrays.hpp"
#include "store.hpp"

namespace abut::python {

// Keeps what it refers to. Made and destroyed with the GIL held.
struct ConfigurationArrays {
    StorePtr store;
    Configurations all;
    KeptColumns columns;
};

}  // namespace abut::python
