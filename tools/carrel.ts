// Commands of ./carrel, on the project's own Node and with its dependencies in place.
import { exitWith, PlainError, say } from "./terminal.ts";

const [command = "start", ...options] = process.argv.slice(2);

async function main(): Promise<void> {
  if (command === "start") return (await import("./start.ts")).start();
  if (command === "dev") return (await import("./dev.ts")).develop();
  if (command === "test") return (await import("./test.ts")).test(options);
  if (command === "typecheck") return (await import("./types.ts")).typecheck();
  if (command === "chaos") return (await import("./chaos.ts")).chaos(options);
  if (command === "bench") return (await import("./bench.ts")).bench(options);
  if (command === "operations") return (await import("./operations.ts")).showOperations(options);
  if (command === "reset-password") return (await import("./reset-password.ts")).resetPassword();
  if (command === "backup") return (await import("./backup/commands.ts")).backup(options);
  if (command === "restore") return (await import("./backup/commands.ts")).restore(options);
  if (command === "replace-secret")
    return (await import("./backup/replace-secret.ts")).replaceSecret(options);
  if (command === "release") return (await import("./release/commands.ts")).releaseCommand(options);
  if (command === "translations")
    return (await import("./translations/report.ts")).showTranslations(options);
  if (command === "vulnerabilities")
    return (await import("./vulnerabilities/commands.ts")).checkVulnerabilities(options);
  if (command === "rotate-secret")
    return (await import("./backup/rotate-secret.ts")).rotateSecret(options);
  if (command === "build") {
    const { build } = await import("./build.ts");
    const built = await build();
    if (!options.includes("--quiet"))
      say(built.length > 0 ? `Built ${built.join(", ")}` : "Everything is up to date");
    return;
  }
  throw new PlainError(`Unknown command "${command}".`);
}

main().catch((error: unknown) => exitWith(command, error));
