/**
 * Factor by which browser tests should run slower than this machine; 1 unless CARREL_TEST_SLOWDOWN
 * sets more. Exposes tests that don't wait long enough.
 */
export const slowdown = Number(process.env.CARREL_TEST_SLOWDOWN ?? 1);

interface Session {
  send: (
    method: "Emulation.setCPUThrottlingRate",
    parameters: { rate: number },
  ) => Promise<unknown>;
}
interface Context<Page> {
  on: (event: "page", listener: (page: Page) => void) => unknown;
  pages: () => Page[];
  newCDPSession: (page: Page) => Promise<Session>;
}

/** Throttles the CPU of every page that the context (Playwright's) has or opens. */
export function slowPages<Page>(context: Context<Page>): void {
  if (slowdown <= 1) return;
  const slow = (page: Page): void =>
    void context
      .newCDPSession(page)
      .then((session) => session.send("Emulation.setCPUThrottlingRate", { rate: slowdown }))
      .catch(() => {}); // ignore pages that closed right away
  context.pages().forEach(slow);
  context.on("page", slow);
}
