import { readFile } from "node:fs/promises";
import {
  findLogo,
  getLogo,
  publicPrincipal,
  removeLogo,
  setLogo,
  uploadLogo,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Route, type Call } from "../http/route.ts";
import { SharedReads } from "../http/shared-reads.ts";
import { pictureHeaders, PictureStore } from "./picture-store.ts";
import { receivePicture } from "./picture-upload.ts";

const box = { width: 800, height: 200, fit: "inside" } as const;
const exposedHeaders = "Content-Type, Content-Disposition, Content-Length, X-Is-Custom-Logo";
/** Light logo for dark themes, dark logo for light ones. */
const defaultLogos = {
  dark: new URL("../../assets/logo-dark.png", import.meta.url),
  light: new URL("../../assets/logo-light.png", import.meta.url),
};
const headersOf = (filename: string, isCustom: boolean): Record<string, string> => ({
  "content-disposition": `attachment; filename=${filename}`,
  "x-is-custom-logo": String(isCustom),
  "access-control-expose-headers": exposedHeaders,
});

@Injectable()
export class LogoRoutes {
  private readonly reads = new SharedReads<Out<typeof findLogo>>();
  private readonly defaults = new Map<string, Promise<Buffer | null>>();

  constructor(
    private readonly requests: RequestClient,
    private readonly pictures: PictureStore,
  ) {}

  /** A custom logo is used for both themes, unless the light one has its own. */
  @Route(getLogo)
  async get({ input, reply }: Call<typeof getLogo>): Promise<FastifyReply> {
    const theme = input.theme === "light" ? "light" : "dark";
    const logos = await this.reads.read("", () =>
      this.requests.request(
        findLogo,
        {},
        { scope: { principal: publicPrincipal, workspace: null } },
      ),
    );
    const own = theme === "light" ? logos.light : null;
    const key = own ?? logos.key;
    if (key !== null) {
      // Carrel-specific, so that its settings can distinguish a logo for one theme from one for
      // both.
      void reply.header("x-carrel-logo-theme", own === null ? "default" : "light");
      return this.pictures.send(reply, key, headersOf("logo.webp", true));
    }
    const logo = await this.readDefault(theme);
    if (logo === null) return reply.code(204).send();
    return reply
      .headers({
        ...pictureHeaders,
        ...headersOf(`carrel-${theme}.png`, false),
        "content-length": String(logo.length),
      })
      .type("image/png")
      .send(logo);
  }

  @Route(uploadLogo)
  async upload({
    input: { theme },
    scope,
    request,
  }: Call<typeof uploadLogo>): Promise<Out<typeof uploadLogo>> {
    const picture = await receivePicture(request, "logo", box, "picture.logo-missing");
    await this.pictures.replace(picture, async (key) => {
      const { unused } = await this.requests.request(setLogo, { key, theme }, { scope });
      const [previous = null, ...others] = unused;
      await Promise.all(others.map((other) => this.pictures.discard(other)));
      return { previous };
    });
    return { message: "Logo uploaded successfully." };
  }

  @Route(removeLogo)
  async remove({
    input: { theme },
    scope,
  }: Call<typeof removeLogo>): Promise<Out<typeof removeLogo>> {
    const { unused } = await this.requests.request(setLogo, { key: null, theme }, { scope });
    await Promise.all(unused.map((key) => this.pictures.discard(key)));
    return { message: "Logo removed successfully." };
  }

  /** A few kilobytes, read once; null if the file is missing. */
  private readDefault(theme: keyof typeof defaultLogos): Promise<Buffer | null> {
    const known = this.defaults.get(theme) ?? readFile(defaultLogos[theme]).catch(() => null);
    this.defaults.set(theme, known);
    return known;
  }
}
