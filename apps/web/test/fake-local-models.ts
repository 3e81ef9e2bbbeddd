import {
  cancelLocalModel,
  deleteLocalModel,
  downloadLocalModel,
  listLocalModels,
  type LocalModelDownload,
  type LocalModelOffer,
  type LocalModels,
  type ProviderDeclaration,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

/** The provider of an instance that runs models itself. */
export const localProvider: ProviderDeclaration = {
  id: "local-gguf",
  name: "Built-in model",
  kind: "language",
  group: "builtin",
  listsModels: true,
  fields: [{ key: "LocalGgufModelPref", label: "model", kind: "model", required: true }],
};

const offer = (
  id: string,
  name: string,
  bytes: number,
  tokensPerSecond: number,
  use: LocalModelOffer["use"],
): LocalModelOffer => ({
  id,
  name,
  vendor: "Qwen",
  license: "Apache 2.0",
  licenseUrl: "https://www.apache.org/licenses/LICENSE-2.0",
  file: `${id}.gguf`,
  bytes,
  memoryBytes: bytes + 1e9,
  tokensPerSecond,
  use,
  isRecommended: id === "qwen3-4b",
});

/** Models that the fake gateway's instance runs itself; off by default. */
export class FakeLocalModels {
  state: LocalModels = { isOn: false, hub: null, offers: [], files: [], downloads: [] };
  sent: { id: string; useWhenReady?: boolean; licenseAccepted?: boolean }[] = [];

  turnOn(): void {
    this.state = {
      isOn: true,
      hub: "huggingface.co",
      offers: [
        offer("qwen3-0.6b", "Qwen3 0.6B", 639_446_688, 42, "quick"),
        offer("qwen3-1.7b", "Qwen3 1.7B", 1_834_426_016, 15, "light"),
        offer("qwen3-4b", "Qwen3 4B Instruct", 2_497_281_120, 11, "everyday"),
        offer("qwen3-8b", "Qwen3 8B", 5_027_783_488, 5.4, "demanding"),
      ],
      files: [],
      downloads: [],
    };
  }

  download(id: string, part: Partial<LocalModelDownload> = {}): LocalModelDownload {
    const { name, file, bytes } = this.state.offers.find((each) => each.id === id)!;
    const download: LocalModelDownload = {
      id,
      name,
      file,
      state: "running",
      doneBytes: 0,
      totalBytes: bytes,
      useWhenReady: false,
      fault: null,
      ...part,
    };
    this.state.downloads = [...this.state.downloads.filter((each) => each.id !== id), download];
    return download;
  }

  /** The file is there. */
  finish(id: string): void {
    const { name, file, bytes, tokensPerSecond } = this.state.offers.find(
      (each) => each.id === id,
    )!;
    this.state.downloads = this.state.downloads.filter((each) => each.id !== id);
    this.state.files.push({ name, file, bytes, tokensPerSecond });
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { body, reply } = call;
    const is = matcher(call);
    if (is("GET", /^\/system\/local-models$/)) return answered(reply(listLocalModels, this.state));
    const [, started] = is("POST", /^\/system\/local-models\/([^/]+)\/download$/) ?? [];
    if (started !== undefined) {
      this.sent.push({ id: started, ...body });
      this.download(started, { useWhenReady: body.useWhenReady === true });
      return answered(reply(downloadLocalModel, { success: true }));
    }
    const [, cancelled] = is("DELETE", /^\/system\/local-models\/([^/]+)\/download$/) ?? [];
    if (cancelled !== undefined) {
      this.state.downloads = this.state.downloads.filter(({ id }) => id !== cancelled);
      return answered(reply(cancelLocalModel, { success: true }));
    }
    const [, deleted] = is("DELETE", /^\/system\/local-models\/files\/([^/]+)$/) ?? [];
    if (deleted === undefined) return false;
    this.state.files = this.state.files.filter(({ file }) => file !== decodeURIComponent(deleted));
    return answered(reply(deleteLocalModel, { success: true }));
  }
}
