/** A process ends within 15 s of its first signal; the rest of that time is for its servers. */
const limitMs = 14_000;

/**
 * Ends the process on SIGTERM or SIGINT: with `stop`, or without it once the time is up, because
 * under load or with a lost server it may never finish. What it leaves behind is taken over: jobs
 * and requests by their leases. A second signal exits at once.
 */
export function endOnSignal(stop: () => Promise<void>, withinMs = limitMs): void {
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
