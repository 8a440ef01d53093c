#include "CSystemCalls.h"

/// Runs the command whose name this process was started by. TICDSCommands declares it.
void ticds_run_suite(void);

int main(int count, char **arguments) { return ticds_begin(count, arguments, ticds_run_suite); }
