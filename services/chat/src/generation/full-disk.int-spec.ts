import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
let source: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  source = new DataSource({ type: "postgres", url: chat.database.url });
  await source.initialize();
  // PostgreSQL's error when its file system is full.
  await source.query(`CREATE FUNCTION refuse_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file "base/5/16385": No space left on device'
      USING ERRCODE = '53100'; END $$`);
});
afterAll(async () => {
  await source?.destroy();
  await chat?.stop();
});
beforeEach(() => chat.llm.behave({ reply: "It runs at 48 °C.", delayMs: 0 }));

const fill = (event: string): Promise<unknown> =>
  source.query(`CREATE TRIGGER full_disk BEFORE ${event} EXECUTE FUNCTION refuse_space()`);
const free = (): Promise<unknown> => source.query("DROP TRIGGER full_disk ON chat.turn");

describe("while PostgreSQL's disk is full", () => {
  it("an answer says so at its end, and is saved whole once there is space", async () => {
    const scope = chat.addWorkspace();
    await fill("UPDATE ON chat.turn FOR EACH ROW WHEN (NEW.state = 'done')");
    const { frames } = await chat.ask(scope, "How warm does it run?");
    expect(textOf(frames)).toBe("It runs at 48 °C.");
    expect(wireFrames(frames).at(-1)).toMatchObject({
      type: "abort",
      error: expect.stringMatching(/ran out of disk space while it was saving this answer/),
    });
    await free();
    await poll(() => chat.history(scope)).toMatchObject([
      { role: "user", content: "How warm does it run?" },
      { role: "assistant", content: "It runs at 48 °C." },
    ]);
  });

  it("an answer is also kept while PostgreSQL is started again", async () => {
    const scope = chat.addWorkspace();
    await source.query(`CREATE SEQUENCE refusals`);
    await source.query(`CREATE FUNCTION refuse_often() RETURNS trigger LANGUAGE plpgsql
      SECURITY DEFINER AS $$
      DECLARE n int = nextval('public.refusals');
      BEGIN
        IF n = 1 THEN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END IF;
        IF n <= 6 THEN
          RAISE EXCEPTION 'the database system is starting up' USING ERRCODE = '57P03';
        END IF;
        RETURN NEW;
      END $$`);
    await source.query(`CREATE TRIGGER full_disk BEFORE UPDATE ON chat.turn FOR EACH ROW
      WHEN (NEW.state = 'done') EXECUTE FUNCTION refuse_often()`);
    await chat.ask(scope, "How warm does it run?");
    await poll(() => chat.history(scope)).toMatchObject([
      { role: "user", content: "How warm does it run?" },
      { role: "assistant", content: "It runs at 48 °C." },
    ]);
    await free();
  });

  it("a question is refused at once, with the reason", async () => {
    const scope = chat.addWorkspace();
    await fill("INSERT ON chat.turn FOR EACH ROW");
    await expect(chat.start(scope, "Anyone?")).rejects.toMatchObject({
      code: "request.storage-full",
    });
    await free();
    await chat.ask(scope, "Anyone?");
    expect(await chat.history(scope)).toHaveLength(2);
  });
});
