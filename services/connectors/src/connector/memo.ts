/** Answers of a source while it is open, each asked for once; what failed is asked for again. */
export class Memo<T> {
  private readonly known = new Map<string, Promise<T>>();

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const answer = ask();
    this.known.set(key, answer);
    answer.catch(() => this.known.delete(key));
    return answer;
  }
}
