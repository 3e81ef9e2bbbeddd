import { describe, expect, it } from "@jest/globals";
import { CarrelError } from "./carrel-error.ts";
import { Carrel } from "./carrel.ts";

/** A client whose requests get this reply, and the requests. */
function connect(reply: () => Response): { carrel: Carrel; requests: Request[] } {
  const requests: Request[] = [];
  const carrel = new Carrel({
    baseUrl: "http://carrel.test/",
    apiKey: "key",
    fetch: async (input, init) => {
      requests.push(new Request(input, init));
      return reply();
    },
  });
  return { carrel, requests };
}
const events = (...frames: object[]): Response =>
  new Response(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });

describe("the client", () => {
  it("sends fields where the API expects them, with the key", async () => {
    const { carrel, requests } = connect(() => Response.json({ thread: null, message: null }));
    await carrel.createThread({ workspaceSlug: "a/b", slug: "mine", name: "Mine" });
    const [request] = requests;
    expect(request!.url).toBe("http://carrel.test/api/v1/workspace/a%2Fb/thread/new");
    expect(request!.headers.get("authorization")).toBe("Bearer key");
    expect(await request!.json()).toEqual({ slug: "mine", name: "Mine" });
  });

  it("uploads files as multipart", async () => {
    const { carrel, requests } = connect(() => Response.json({ success: true, documents: [] }));
    await carrel.uploadDocument({ file: new File(["text"], "a.txt"), addToWorkspaces: "leases" });
    const form = await requests[0]!.formData();
    expect((form.get("file") as File).name).toBe("a.txt");
    expect(form.get("addToWorkspaces")).toBe("leases");
  });

  it.each([
    [{ error: "No valid api key found." }, "No valid api key found."],
    [{ message: "Workspace not found" }, "Workspace not found"],
    [{ error: { message: "No such model", code: "model_not_found" } }, "No such model"],
    [{}, "Carrel replied with status 403."],
  ])("throws what a refusal says: %j", async (body, message) => {
    const { carrel } = connect(() => Response.json(body, { status: 403 }));
    const failure = await carrel.listWorkspaces().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CarrelError);
    expect(failure).toMatchObject({ message, status: 403, body });
  });

  it("yields the frames of an answer, and throws its failure", async () => {
    const chunk = { type: "textResponseChunk", uuid: "1", textResponse: "48 °C", close: false };
    const whole = connect(() => events(chunk, { type: "finalizeResponseStream", sources: [] }));
    const frames = await Array.fromAsync(
      whole.carrel.streamChat({ slug: "leases", message: "How warm?" }),
    );
    expect(frames.map(({ type }) => type)).toEqual(["textResponseChunk", "finalizeResponseStream"]);
    expect(whole.requests[0]!.url).toBe("http://carrel.test/api/v1/workspace/leases/stream-chat");
    expect(await whole.requests[0]!.json()).toEqual({ message: "How warm?" });

    const failing = connect(() => events(chunk, { type: "abort", error: "The model is gone." }));
    const question = { slug: "leases", threadSlug: "one", message: "How warm?" };
    await expect(Array.fromAsync(failing.carrel.streamChatInThread(question))).rejects.toThrow(
      "The model is gone.",
    );
    const refused = connect(() => Response.json({ error: "Unknown workspace" }, { status: 400 }));
    await expect(Array.fromAsync(refused.carrel.streamChat(question))).rejects.toMatchObject({
      message: "Unknown workspace",
      status: 400,
    });
  });
});
