/** A frame as read from the stream, with its number and its bytes. */
export interface ReceivedFrame {
  seq: number;
  data: string;
  frame: Record<string, unknown> & { type?: string };
}

/** The frames that existing clients receive. */
export const wireFrames = (frames: ReceivedFrame[]): ReceivedFrame["frame"][] =>
  frames.map(({ frame }) => frame).filter((frame) => frame.type?.startsWith("generation") !== true);
export const textOf = (frames: ReceivedFrame[]): string =>
  frames
    .filter(({ frame }) => frame.type === "textResponseChunk")
    .map(({ frame }) => frame.textResponse as string)
    .join("");
