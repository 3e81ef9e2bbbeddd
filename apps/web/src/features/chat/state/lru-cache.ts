/** LRU cache of values derived from texts, limited to `limit` characters of text in total. */
export class LruCache<Value> {
  private readonly entries = new Map<string, Value>();
  private length = 0;
  constructor(private readonly limit: number) {}

  has(text: string): boolean {
    return this.entries.has(text);
  }

  get(text: string): Value | undefined {
    const value = this.entries.get(text);
    if (value === undefined) return undefined;
    this.entries.delete(text);
    this.entries.set(text, value);
    return value;
  }

  set(text: string, value: Value): void {
    if (this.entries.delete(text)) this.length -= text.length;
    this.entries.set(text, value);
    this.length += text.length;
    for (const [oldest] of this.entries) {
      if (this.length <= this.limit) return;
      this.entries.delete(oldest);
      this.length -= oldest.length;
    }
  }
}
