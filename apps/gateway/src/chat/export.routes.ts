import { CarrelError, exportChat, exportThread, findWorkspaces } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { findTexts } from "@carrel/texts";
import { Injectable } from "@nestjs/common";
import { WorkspaceScopes } from "../access/workspace-scopes.ts";
import { Route, type Call } from "../http/route.ts";
import type { ExportTurn } from "./export-document.ts";
import { readClientInfo } from "./read-question.ts";

/** Maximum characters of an export, because the whole thread is read into memory. */
const maxCharacters = 60_000_000;

@Injectable()
export class ExportRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly workspaceScopes: WorkspaceScopes,
  ) {}

  @Route(exportChat)
  async export({ input, scope, request, reply }: Call<typeof exportChat>): Promise<unknown> {
    // Loads what typesets formulas and Markdown, which nothing else here needs.
    const { exportFormats, fileNameOf, pagePolicy } = await import("./export-document.ts");
    const format = exportFormats.get(input.type);
    if (format === undefined) {
      throw new CarrelError(input.type === "pdf" ? "chat.export-pdf" : "chat.export-type-unknown");
    }
    const inWorkspace = await this.workspaceScopes.resolve(scope.principal, input.workspaceSlug);
    const [{ workspaces }, { name, turns }] = await Promise.all([
      this.requests.request(findWorkspaces, { ids: [inWorkspace.workspace.id] }, { scope }),
      this.readThread(
        inWorkspace,
        input.threadSlug == null || input.threadSlug === "" ? null : input.threadSlug,
      ),
    ]);
    if (turns.length === 0) throw new CarrelError("chat.nothing-to-export");
    const workspace = workspaces[0]?.name ?? input.workspaceSlug;
    const { language = null } = scope;
    const say = findTexts(language);
    // The default thread has no name.
    const title = name === "" ? say("exportChat") : name;
    const file = fileNameOf(
      name === "" ? say("exportChatOf", { workspace }) : name,
      format.extension,
    );
    const { timeZone } = readClientInfo(request.headers);
    return reply
      .code(200)
      .headers({
        "content-type": format.contentType,
        "content-disposition": `attachment; filename="chat.${format.extension}"; filename*=UTF-8''${encodeName(file)}`,
        "content-security-policy": `${pagePolicy}; sandbox`,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "access-control-expose-headers": "Content-Disposition",
      })
      .send(Buffer.from(await format.build({ workspace, name: title, turns, language, timeZone })));
  }

  /** Reads all pages and joins the parts of long answers. */
  private async readThread(
    scope: Call<typeof exportChat>["scope"],
    threadSlug: string | null,
  ): Promise<{ name: string; turns: ExportTurn[] }> {
    const turns: ExportTurn[] = [];
    let characters = 0;
    for (let after: number | null = null, from = 0; ;) {
      const page: Awaited<ReturnType<typeof this.readPage>> = await this.readPage(
        scope,
        threadSlug,
        after,
        from,
      );
      for (const turn of page.turns) {
        characters += turn.question.length + turn.answer.length;
        for (const { text } of turn.reasoning ?? []) characters += text.length;
        const last = turns.at(-1);
        if (last?.id === turn.id) append(last, turn);
        else turns.push(turn);
      }
      if (characters > maxCharacters) throw new CarrelError("thread.too-long-to-export");
      if (page.next === null) return { name: page.name, turns };
      [after, from] = [page.next, page.nextFrom];
    }
  }

  private readPage(
    scope: Call<typeof exportChat>["scope"],
    threadSlug: string | null,
    after: number | null,
    from: number,
  ) {
    return this.requests.request(exportThread, { threadSlug, after, from }, { scope });
  }
}

/** Appends the rest of a turn that spans pages. */
function append(turn: ExportTurn, next: ExportTurn): void {
  turn.answer += next.answer;
  for (const part of next.reasoning ?? []) {
    const last = turn.reasoning?.at(-1);
    if (last?.index === part.index) last.text += part.text;
    else (turn.reasoning ??= []).push(part);
  }
}

const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
