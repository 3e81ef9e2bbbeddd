/**
 * What the C libraries' allocator needs to give back what the threads of LanceDB free: few arenas,
 * and large blocks of their own.
 * It reads them once, when the process begins. Other platforms pass them over.
 */
const settings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/**
 * Replaces this process by itself with the settings that the environment lacks, so that they hold
 * however it was started: same
 * process id, same files, same signals. Returns where nothing is missing, on other platforms, and
 * where a parent talks to this
 * process over a channel, which would not survive.
 */
export function restartWithAllocator(): void {
  const missing = Object.entries(settings).filter(([name]) => process.env[name] === undefined);
  if (
    missing.length === 0 ||
    process.platform !== "linux" ||
    process.send !== undefined ||
    process.execve === undefined
  )
    return;
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    { ...process.env, ...Object.fromEntries(missing) },
  );
}
