/**
 * Ends the process on SIGTERM or SIGINT: with `stop`, or without it after `withinMs`, because under
 * load or without a server it may never finish. Leases let others take over the jobs and requests
 * it leaves behind. A second signal exits at once.
 */
export function endOnSignal(stop: () => Promise<void>, withinMs: number): void {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => {
      process.stderr.write("couldn't finish stopping in time\n");
      process.exit(1);
    }, withinMs);
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}
