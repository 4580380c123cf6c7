// selftest.h - answers that are made wrong on purpose.
#pragma once

namespace judge {

/// The judge accepts right answers and rejects each defect planted in them. Prints what it does not.
bool selftest();

} // namespace judge
