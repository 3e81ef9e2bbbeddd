import type { Writer } from "../src/lance-home.ts";

/** A write lease for stores of one process, and a way to keep it. */
export function writerTurns(): { writer: Writer; hold(): Promise<() => void> } {
  let last = Promise.resolve();
  const writer: Writer = (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  };
  return {
    writer,
    async hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      await new Promise<void>((begun) => {
        void writer(() => {
          begun();
          return promise;
        });
      });
      return resolve;
    },
  };
}
