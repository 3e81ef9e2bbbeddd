import { spawn } from "node:child_process";
import { mkdtempSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The shell reads from a pipe that only the owner holds, so it ends with the owner, even if that is
// killed.
const script = `cat >/dev/null
for f in "$1"/*.pid "$1"/*/*.pid; do [ -f "$f" ] && kill -9 "$(head -n 1 "$f")"; done
for f in "$1"/*/data/postmaster.pid; do [ -f "$f" ] && kill -QUIT "$(head -n 1 "$f")" && sleep 0.3; done
rm -rf "$1"`;

/**
 * Creates a temporary folder that is deleted when this process ends, together with the servers
 * whose pid files are in it.
 */
export function guardedFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o711); // the system user that runs PostgreSQL must be able to enter
  const guard = spawn("sh", ["-c", script, "sh", folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return folder;
}
