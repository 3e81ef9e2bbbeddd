/**
 * Identical concurrent reads share one request to the services. A read never joins a request
 * already in progress, which may predate a write that the reader knows of, but waits for the next
 * one. So each reader waits for at most two replies and sees everything written before its request.
 */
export class SharedReads<Answer> {
  private readonly flights = new Map<
    string,
    { running: Promise<unknown>; next: Promise<Answer> | null }
  >();

  /**
   * `key` identifies request and caller; if `ask` throws, all readers that share the request get
   * the error.
   */
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
