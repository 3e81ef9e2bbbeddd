// The health check of the images: whether this container's process is ready for work.
const port = process.env.CARREL_HEALTH_PORT || process.env.CARREL_PORT || "3001";
const reply = await fetch(`http://127.0.0.1:${port}/readyz`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => null);
process.exit(reply?.ok ? 0 : 1);
