/**
 * Equal reads that wait at the same time share one question to the services. A read never joins a
 * question that is
 * under way, which may have been answered from before a write that this reader knows of: it waits
 * for the next one,
 * asked after it came. So each reader waits for two answers at most, and sees all that was written
 * before it asked.
 */
export class SharedReads<Answer> {
  private readonly flights = new Map<
    string,
    { running: Promise<unknown>; next: Promise<Answer> | null }
  >();

  /** `key` names question and asker; what `ask` throws, all its readers get. */
  read(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const flight = this.flights.get(key);
    if (flight === undefined) return this.start(key, ask);
    flight.next ??= flight.running.then(() => this.start(key, ask));
    return flight.next;
  }

  private start(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask();
    const flight = {
      running: answer.then(
        () => undefined,
        () => undefined,
      ),
      next: null as Promise<Answer> | null,
    };
    this.flights.set(key, flight);
    void flight.running.then(() => {
      if (flight.next === null && this.flights.get(key) === flight) this.flights.delete(key);
    });
    return answer;
  }
}
