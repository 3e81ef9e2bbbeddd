import { settled } from "@carrel/testing";
import type { Page } from "@playwright/test";
import type { FakeGateway } from "./fake-gateway.ts";
import { libraryDocument } from "./library-documents.ts";

type Draw = (page: Page, gateway: FakeGateway, phone: boolean) => Promise<void>;
const open = async (page: Page, gateway: FakeGateway, phone: boolean): Promise<void> => {
  const shown = gateway.documents["heat-pump-retrofit"]!;
  Object.assign(shown[4]!, { pinned: true });
  Object.assign(shown[8]!, { watched: true, title: "Night tariff 2025" });
  await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
  await page.getByText("Retrofit survey 2024.pdf").first().waitFor();
  if (phone) return;
  await page.getByRole("treeitem", { name: "Retrofit 2024" }).click();
  await page.getByRole("treeitem", { name: "Measurements" }).click();
  await page.getByRole("treeitem", { name: "Riser flow measurements.xlsx" }).waitFor();
};
const drag = async (page: Page, x: number, y: number): Promise<void> => {
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["We decided."], "Dropped.txt", { type: "text/plain" }));
    return transfer;
  });
  const element = await page.evaluateHandle(
    ([left, top]) => document.elementFromPoint(left!, top!),
    [x, y],
  );
  await element.asElement()!.dispatchEvent("dragenter", { dataTransfer: data });
  await element.asElement()!.dispatchEvent("dragover", { dataTransfer: data });
};

/** Screenshots of the document manager. */
export const documentsScreens: Record<string, Draw> = {
  manager: async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (!phone)
      await page.getByRole("treeitem", { name: "Meter readings, first quarter.xlsx" }).hover();
  },
  "manager-chosen": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (phone) return;
    for (const name of ["Heat-pump field trial.pdf", "Courtyard noise assessment.pdf"])
      await page.getByRole("grid").getByLabel(`Select ${name}`).check();
    await page
      .getByRole("tree")
      .getByLabel("Select Meter readings, first quarter.xlsx")
      .check({ force: true });
    await page.getByLabel("Select the folder Web pages").check({ force: true });
  },
  "manager-staged": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (phone) return;
    await page.getByLabel("Select the folder Web pages").check({ force: true });
    await page.getByRole("button", { name: "Move to workspace" }).click();
    await page.getByRole("button", { name: "Save and embed" }).waitFor();
  },
  "manager-found": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (!phone) {
      await page.getByLabel("Search my documents").fill("m");
      await page.getByText(/^\d+ found$/).waitFor();
    }
  },
  "manager-filter": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (!phone) {
      await page.getByRole("button", { name: "Filter and sort" }).first().click();
      await page.getByText("Kind", { exact: true }).waitFor();
    }
  },
  "manager-move": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (!phone) {
      await page
        .getByRole("tree")
        .getByLabel("Select Meter readings, first quarter.xlsx")
        .check({ force: true });
      await page.getByRole("button", { name: "Move", exact: true }).click();
      await page.getByRole("dialog").waitFor();
    }
  },
  "manager-tags": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (!phone) {
      for (const name of [
        "Meter readings, first quarter.xlsx",
        "Meter readings, second quarter.xlsx",
      ])
        await page.getByRole("tree").getByLabel(`Select ${name}`).check({ force: true });
      await page.getByRole("button", { name: "Tag", exact: true }).click();
      await page.getByRole("dialog").waitFor();
    }
  },
  "manager-pin": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    await page.getByRole("button", { name: "Menu for Courtyard noise assessment.pdf" }).click();
    await page.getByRole("menuitem", { name: "Pin" }).click();
    await page.getByRole("dialog").waitFor();
  },
  "manager-menu": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    await page.getByRole("button", { name: "Menu for Courtyard noise assessment.pdf" }).click();
    await page.getByRole("menuitem").first().waitFor();
  },
  "manager-drop-library": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    if (!phone) await drag(page, 400, 178);
  },
  "manager-drop-workspace": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    await drag(page, phone ? 200 : 1000, 500);
  },
  "manager-uploads": async (page, gateway, phone) => {
    gateway.library.uploadTakes = 60_000;
    await open(page, gateway, phone);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(
        Array.from({ length: 12 }, (_, n) => ({
          name: `Minutes ${n + 1}.txt`,
          mimeType: "text/plain",
          buffer: Buffer.from("We decided."),
        })),
      );
    await page.getByText(/^Uploading, 0 of 12/).waitFor();
  },
  "manager-activity": async (page, gateway, phone) => {
    gateway.library.refusals = [
      { status: 415, error: "Files of this type cannot be read." },
      { status: 400, error: "The file is empty." },
    ];
    await open(page, gateway, phone);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(
        ["tool.exe", "empty.txt", "Minutes 1.txt", "Minutes 2.txt"].map((name) => ({
          name,
          mimeType: "text/plain",
          buffer: Buffer.from("We decided."),
        })),
      );
    await page.getByText("The file is empty.").first().waitFor();
    gateway.library.uploadTakes = 60_000;
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(
        Array.from({ length: 9 }, (_, n) => ({
          name: `Report ${n + 1}.pdf`,
          mimeType: "application/pdf",
          buffer: Buffer.from("We decided."),
        })),
      );
    await page.getByRole("button", { name: /^Activity/ }).click();
    await page.getByRole("dialog").waitFor();
  },
  "manager-offline": async (page, gateway, phone) => {
    gateway.library.processorOnline = false;
    await open(page, gateway, phone);
    await page.getByText("Document processing is unavailable").waitFor();
  },
  "manager-empty": async (page, gateway) => {
    gateway.library.documents = [];
    gateway.documents["heat-pump-retrofit"] = [];
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
    await page.getByText("No documents yet. Files").waitFor();
  },
  "manager-viewer": async (page, gateway, phone) => {
    await open(page, gateway, phone);
    await page.getByRole("button", { name: "Courtyard noise assessment.pdf", exact: true }).click();
    await settled(page);
  },
  "manager-many": async (page, gateway, phone) => {
    gateway.library.documents = Array.from({ length: 100_000 }, (_, n) =>
      libraryDocument(n, `Archive/${String(Math.floor(n / 20_000) + 2020)}`, `Record ${n + 1}.pdf`),
    );
    gateway.documents["heat-pump-retrofit"] = Array.from({ length: 100_000 }, (_, n) => ({
      ...gateway.documents["heat-pump-retrofit"]![7]!,
      documentId: libraryDocument(n, "", "").documentId,
      title: `Record ${n + 1}.pdf`,
    }));
    await page.goto(`${gateway.url}/workspace/heat-pump-retrofit/documents`);
    await page.getByText("Record 1.pdf").first().waitFor();
    if (phone) return;
    await page.getByRole("treeitem", { name: "Archive" }).click();
    await page.getByRole("treeitem", { name: "2020" }).click();
    await page.getByRole("treeitem", { name: "Record 1.pdf" }).waitFor();
    await page.getByRole("grid").getByLabel("Select all").check();
  },
};
