import { cancelGeneration, createThread } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";

let chat: ChatInstance;
let source: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  source = new DataSource({ type: "postgres", url: chat.database.url });
  await source.initialize();
  // Records every statement that saves texts of running answers.
  await source.query(`
    CREATE TABLE save (at timestamptz NOT NULL, answers int NOT NULL, characters int NOT NULL);
    GRANT INSERT ON save TO PUBLIC;
    CREATE FUNCTION note_save() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.save
      SELECT clock_timestamp(), count(*), sum(length(answer)) FROM changed
      WHERE state = 'running' AND answer <> ''
      HAVING count(*) > 0;
      RETURN NULL; END $$;
    CREATE TRIGGER note_save AFTER UPDATE ON chat.turn
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_save()`);
});
afterAll(async () => {
  await source?.destroy();
  await chat?.stop();
});
beforeEach(async () => {
  await source.query("TRUNCATE save");
});

interface Save {
  at: Date;
  answers: number;
  characters: number;
}
const listSaves = (): Promise<Save[]> => source.query("SELECT * FROM save ORDER BY at");
const gapsOf = (saves: Save[]): number[] =>
  saves.slice(1).map(({ at }, index) => at.getTime() - saves[index]!.at.getTime());

describe("the text so far", () => {
  it("is saved early when it grows fast, with more text each time", async () => {
    const tokens = Array.from({ length: 300 }, () => "word ".repeat(400));
    chat.llm.next({ reply: tokens, delayMs: 10 });
    await chat.ask(chat.addWorkspace(), "Tell me everything of it.");
    const saves = await listSaves();
    expect(Math.min(...gapsOf(saves))).toBeLessThan(500);
    const lengths = saves.map(({ characters }) => characters);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  });

  it("of all running answers is saved every second, with one statement", async () => {
    chat.llm.behave({ tokens: 20_000, delayMs: 50 });
    const scope = chat.addWorkspace();
    const started = [];
    for (let n = 0; n < 5; n++) {
      const { thread } = await chat.request(createThread, { slug: scope.workspace.slug }, scope);
      started.push(await chat.start(scope, "Tell me of it.", { threadSlug: thread!.slug }));
    }
    const listWhole = async (): Promise<Save[]> =>
      (await listSaves()).filter(({ answers }) => answers === 5);
    await poll(async () => (await listWhole()).length).toBeGreaterThan(0);
    // Compared with a timer of this process, which a busy machine delays as well.
    let seconds = 0;
    const timer = setInterval(() => (seconds += 1), 1_000);
    await poll(async () => (await listWhole()).length).toBeGreaterThan(5);
    clearInterval(timer);
    const saves = await listWhole();
    expect(seconds).toBeLessThan(saves.length * 1.5);
    for (const [index, { characters }] of saves.slice(1).entries())
      expect(characters).toBeGreaterThan(saves[index]!.characters);
    for (const { generationId } of started)
      await chat.request(cancelGeneration, { id: generationId }, scope);
  });
});
