#include "CSystemCalls.h"

/// Runs the program that this process was started as, in TICDSPrograms.
void ticds_run_suite(void);

int main(int count, char **arguments) { return ticds_begin(count, arguments, ticds_run_suite); }
