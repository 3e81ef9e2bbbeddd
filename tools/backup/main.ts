// `node dist/backup.js backup|restore|replace-secret|rotate-secret …`: the commands of ./carrel in the
// images, which have no sources; and `migrate`, which creates the users of all services and their
// schemas.
import { exitWith, PlainError } from "../terminal.ts";
import { backup, restore } from "./commands.ts";
import { migrateAll } from "./migrate.ts";
import { replaceSecret } from "./replace-secret.ts";
import { rotateSecret } from "./rotate-secret.ts";

const [command = "backup", ...options] = process.argv.slice(2);
const commands: Record<string, typeof backup> = {
  backup,
  restore,
  migrate: migrateAll,
  "replace-secret": replaceSecret,
  "rotate-secret": rotateSecret,
};

async function main(): Promise<void> {
  const run = commands[command];
  if (run === undefined) throw new PlainError(`Unknown command "${command}".`);
  await run(options);
}

main().catch((error: unknown) => exitWith(command, error));
