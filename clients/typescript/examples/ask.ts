import { Carrel } from "@carrel/client";

const { CARREL_URL = "http://localhost:3001", CARREL_API_KEY = "" } = process.env;
const carrel = new Carrel({ baseUrl: CARREL_URL, apiKey: CARREL_API_KEY });
const { workspace } = await carrel.createWorkspace({ name: "Leases" });
const slug = workspace!.slug;
const textContent = "The notice period of the office is three months.";
await carrel.addText({ textContent, metadata: { title: "Lease" }, addToWorkspaces: slug });
const answer = await carrel.chat({ slug, message: "What is the notice period of the office?" });
console.log(answer.textResponse);
for (const source of answer.sources) console.log(`Source: ${source.title}`);
