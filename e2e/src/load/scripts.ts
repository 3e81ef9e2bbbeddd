/** The scripts in e2e/k6, and the pace of the fake model while each runs. */
export const scripts: Readonly<Record<string, { tokens: number; delayMs: number }>> = {
  // Answers aren't measured and shouldn't delay the preparation.
  reads: { tokens: 200, delayMs: 0 },
  search: { tokens: 200, delayMs: 0 },
  uploads: { tokens: 200, delayMs: 0 },
  // Long enough for all streams to run at the same time.
  chats: { tokens: 400, delayMs: 50 },
  day: { tokens: 200, delayMs: 20 },
  soak: { tokens: 200, delayMs: 20 },
};
