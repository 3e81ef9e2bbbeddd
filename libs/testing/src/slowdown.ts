/**
 * How many times slower than this machine browser tests are to see it; 1 unless
 * CARREL_TEST_SLOWDOWN says more. For finding tests that look too early.
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
  newCDPSession: (page: Page) => Promise<Session>;
}

/** Slows the processor of every page that the context (Playwright's) will open. */
export function slowPages<Page>(context: Context<Page>): void {
  if (slowdown <= 1) return;
  context.on(
    "page",
    (page) =>
      void context
        .newCDPSession(page)
        .then((session) => session.send("Emulation.setCPUThrottlingRate", { rate: slowdown }))
        .catch(() => {}),
  ); // a page that is closed at once is in nobody's way
}
