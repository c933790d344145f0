// The arguments of calls that share many: positional and keyword, each named in the messages.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "errors.hpp"

namespace abut::python {

class Arguments {
public:
    Arguments(const char* function, const py::args& positional, const py::kwargs& keywords)
        : function_(function), positional_(positional), keywords_(keywords) {}

    // The next positional argument, or the keyword of this name; a null handle where there is neither, or None.
    py::handle next(const char* name) {
        if (at_ < positional_.size()) {
            const py::handle given = PyTuple_GET_ITEM(positional_.ptr(), py::ssize_t(at_++));
            if (keywords_.contains(name)) type_error(std::string(function_) + ": " + name + " is given twice");
            return given.is_none() ? py::handle() : given;
        }
        return keyword(name);
    }
    py::handle keyword(const char* name) {
        const py::handle given = PyDict_GetItemString(keywords_.ptr(), name);
        if (given) ++used_, asked_.add(py::str(name));
        return !given || given.is_none() ? py::handle() : given;
    }
    // Afterwards: what has not been asked for is an error. `frame`: names that may be beside these.
    void finish(std::initializer_list<const char*> names, std::span<const char* const> frame = {}) const {
        if (at_ < positional_.size()) {
            type_error(std::string(function_) + ": " + std::to_string(positional_.size()) + " positional arguments; " +
                       std::to_string(at_) + " at most");
        }
        if (used_ == keywords_.size()) return;
        for (const auto& [key, value] : keywords_) {
            bool known = false;
            for (const char* name : names) known = known || text_of(key) == name;
            for (const char* name : frame) known = known || text_of(key) == name;
            if (!known) type_error(std::string(function_) + ": no argument is called " + text_of(key));
            if (!asked_.contains(key))
                type_error(std::string(function_) + ": " + text_of(key) +
                           " is given beside a Frame, which has its own");
        }
    }
    const char* function() const { return function_; }

private:
    const char* function_;
    const py::args& positional_;
    const py::kwargs& keywords_;
    py::set asked_;
    std::size_t at_ = 0, used_ = 0;
};

}  // namespace abut::python
