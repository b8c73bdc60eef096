const COMMAND_DENIED = /permissions to run the '|unknown command|can't run this command or subcommand/i;

/**
 * Whether the server has refused a command because this user may never send it, by itself or in a script, or because
 * the server does not have it. That a user may not touch some *key* says nothing of the command: the next one, on
 * another key, will run.
 */
export function isCommandDenied(message: string): boolean {
  return COMMAND_DENIED.test(message);
}
