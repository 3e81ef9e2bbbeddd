/**
 * Reasoning that the server sent in a field of its own, to be compared with what the text repeats
 * of it. Kept in pieces: joining them for each would cost quadratic time.
 */
export class ApartReasoning {
  private readonly pieces: string[] = [];
  /** Up to where the text repeats it. */
  private index = 0;
  private offset = 0;

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** Whether nothing has been repeated yet. */
  get isAtStart(): boolean {
    return this.index === 0 && this.offset === 0;
  }

  add(piece: string): void {
    const text = this.isEmpty ? piece.trimStart() : piece;
    if (text !== "") this.pieces.push(text);
  }

  rewind(): void {
    this.index = 0;
    this.offset = 0;
  }

  /** Whether the text goes on as this does. */
  repeats(text: string): boolean {
    let { index, offset } = this;
    for (let at = 0; at < text.length;) {
      const piece = this.pieces[index];
      if (piece === undefined) return false;
      const length = Math.min(piece.length - offset, text.length - at);
      if (!piece.startsWith(text.slice(at, at + length), offset)) return false;
      at += length;
      offset += length;
      if (offset < piece.length) continue;
      index++;
      offset = 0;
    }
    this.index = index;
    this.offset = offset;
    return true;
  }
}
