import { join } from "node:path";
import { root } from "./checkout.ts";
import { runCommand } from "./process.ts";
import { PlainError, say } from "./terminal.ts";

/** Folders with a program of their own; the rest is in tsconfig.server.json. */
export const ownPrograms = [
  "apps/web",
  "apps/widget",
  "apps/extension",
  "clients/typescript",
  "e2e",
];

/** All programs: few instead of one per package, so that shared sources are read once. */
export const programs = [
  "tsconfig.server.json",
  ...ownPrograms.map((folder) => `${folder}/tsconfig.json`),
];

/** Arguments of Node that check a program's types. */
export const checkTypes = (program: string): string[] => [
  join(root, "node_modules/typescript/bin/tsc"),
  ...["-p", program],
  // Four checkers, the default, would each check the types that they all need.
  ...["--checkers", "1"],
];

/** `./carrel typecheck`: checks all programs and prints what is wrong. */
export async function typecheck(): Promise<void> {
  let faults = 0;
  for (const program of programs) {
    const { code, output } = await runCommand(process.execPath, checkTypes(program), {
      cwd: root,
    });
    say(`${program}: ${code === 0 ? "fine" : "faults"}`);
    if (code === 0) continue;
    faults++;
    process.stdout.write(output);
  }
  if (faults > 0) throw new PlainError("The types have faults. See above.");
}
