/** What programs need to start and to find their libraries. */
const names = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"];

/** The environment for a program that reads users' uploads, without the instance's secrets. */
export const childEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined),
  ) as NodeJS.ProcessEnv;

/** The program that reads old Office files, if it is installed. */
export const libreOffice = (): string => process.env.CARREL_LIBREOFFICE || "soffice";

/**
 * Makes the C library's allocator return the memory LanceDB's threads free: few arenas, and
 * separate mappings for large blocks. It reads these variables once at process start. Other
 * platforms ignore them.
 */
const settings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/**
 * Re-executes this process with the settings missing from its environment, so that they apply
 * however it was started: same process id, files and signals. Does nothing if none are missing, on
 * other platforms, or if a parent talks to this process over a channel, which would not survive.
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
