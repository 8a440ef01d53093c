#include <stddef.h>
#include <stdint.h>

// libFuzzer's own main function is a call of this.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t count));
