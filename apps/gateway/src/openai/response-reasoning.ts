import type { ResponseReasoning } from "@carrel/contracts";

type Write = (type: string, fields: object) => Promise<void>;

export const buildReasoning = (
  id: string,
  index: number,
  text: string,
  status: ResponseReasoning["status"] = "completed",
): ResponseReasoning => ({
  id: `rs_${id}_${index}`,
  type: "reasoning",
  status,
  summary: status === "in_progress" ? [] : [{ type: "summary_text", text }],
});

/** The events of one reasoning item, in OpenAI's order. */
export class ReasoningEvents {
  private text = "";

  constructor(
    private readonly id: string,
    readonly index: number,
    private readonly write: Write,
  ) {}

  async begin(): Promise<void> {
    await this.write("response.output_item.added", {
      output_index: this.index,
      item: this.build("in_progress"),
    });
    const part = { type: "summary_text", text: "" };
    await this.write("response.reasoning_summary_part.added", { ...this.place, part });
  }

  async push(delta: string): Promise<void> {
    this.text += delta;
    await this.write("response.reasoning_summary_text.delta", { ...this.place, delta });
  }

  async end(): Promise<ResponseReasoning> {
    const { text, place } = this;
    const item = this.build("completed");
    await this.write("response.reasoning_summary_text.done", { ...place, text });
    const part = { type: "summary_text", text };
    await this.write("response.reasoning_summary_part.done", { ...place, part });
    await this.write("response.output_item.done", { output_index: this.index, item });
    return item;
  }

  private get place(): object {
    return { item_id: this.build("completed").id, output_index: this.index, summary_index: 0 };
  }

  private build(status: ResponseReasoning["status"]): ResponseReasoning {
    return buildReasoning(this.id, this.index, this.text, status);
  }
}
