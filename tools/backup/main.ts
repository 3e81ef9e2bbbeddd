// `node dist/backup.js backup|restore|replace-secret …`: the commands of ./carrel in the images,
// which have no sources.
import { exitWith, PlainError } from "../terminal.ts";
import { backup, restore } from "./commands.ts";
import { replaceSecret } from "./replace-secret.ts";

const [command = "backup", ...options] = process.argv.slice(2);
const commands: Record<string, typeof backup> = {
  backup,
  restore,
  "replace-secret": replaceSecret,
};

async function main(): Promise<void> {
  const run = commands[command];
  if (run === undefined) throw new PlainError(`Unknown command "${command}".`);
  await run(options);
}

main().catch((error: unknown) => exitWith(command, error));
