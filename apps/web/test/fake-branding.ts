import {
  getCustomAppName,
  getFooterData,
  getPageBranding,
  listPreferences,
  removeLogo,
  updatePreferences,
  uploadLogo,
} from "@carrel/contracts";
import { answered, type FakeCall } from "./fake-call.ts";

const themes = ["light", "default"] as const;
type Theme = (typeof themes)[number];
const labels: ReadonlySet<string> = new Set([
  "custom_app_name",
  "meta_page_title",
  "meta_page_favicon",
  "support_email",
  "footer_data",
]);

/** Name, logos and links of the fake gateway's instance. */
export class FakeBranding {
  appName: string | null = null;
  /** Custom logos by theme, if set: SVG text, or whatever was uploaded. */
  logos: Partial<Record<Theme, string | Buffer>> = {};
  footer: { icon: string; url: string }[] = [];
  /** The page's title and icon and the support address, by label. */
  texts: Record<string, string | null> = {};
  /** While set, requests for name, logo and links wait for it. */
  held: Promise<void> | null = null;

  constructor(private readonly changed: () => void) {}

  /** Name and logo, which need no session. Returns true if it answered the call. */
  async handlePublic({ path, query, reply, response }: FakeCall): Promise<boolean> {
    const wanted = ["custom-app-name", "page-branding", "logo", "footer-data"];
    if (!wanted.includes(path.replace(/^\/system\//, ""))) return false;
    await this.held;
    if (path === "/system/custom-app-name")
      reply(getCustomAppName, { customAppName: this.appName });
    if (path === "/system/footer-data")
      reply(getFooterData, { footerData: JSON.stringify(this.footer) });
    if (path === "/system/page-branding")
      reply(getPageBranding, {
        title: this.texts.meta_page_title ?? null,
        name: this.appName,
        favicon: this.texts.meta_page_favicon ?? null,
      });
    if (path === "/system/logo") {
      const theme = query.get("theme") === "light" ? "light" : "default";
      const own = this.logos[theme];
      const logo = own ?? this.logos.default;
      response.writeHead(200, {
        "Content-Type": typeof logo === "object" ? "image/png" : "image/svg+xml",
        "X-Is-Custom-Logo": String(logo !== undefined),
        ...(logo !== undefined && {
          "X-Carrel-Logo-Theme": own === undefined ? "default" : theme,
        }),
      });
      response.end(logo ?? '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>');
    }
    return true;
  }

  /** Changes by managers. Returns true if it answered the call. */
  handle({ path, query, body, raw, reply }: FakeCall): boolean {
    const theme = themes.find((each) => each === query.get("theme"));
    if (path === "/system/upload-logo") {
      const start = raw.indexOf("\r\n\r\n") + 4;
      const picture = raw.subarray(start, raw.lastIndexOf("\r\n--"));
      this.logos = theme ? { ...this.logos, [theme]: picture } : { default: picture };
      this.changed();
      return answered(reply(uploadLogo, { message: "Logo uploaded successfully." }));
    }
    if (path === "/system/remove-logo") {
      if (theme) delete this.logos[theme];
      else this.logos = {};
      this.changed();
      return answered(reply(removeLogo, { message: "Logo removed successfully." }));
    }
    if (
      path === "/admin/system-preferences-for" &&
      query.get("labels")?.includes("custom_app_name")
    )
      return answered(
        reply(listPreferences, {
          settings: {
            ...this.texts,
            custom_app_name: this.appName,
            footer_data: JSON.stringify(this.footer),
          },
        }),
      );
    if (path !== "/admin/system-preferences" || !Object.keys(body).some((key) => labels.has(key)))
      return false;
    for (const [label, value] of Object.entries(body as Record<string, string | null>)) {
      if (label === "custom_app_name") this.appName = value;
      else if (label === "footer_data") this.footer = JSON.parse(value ?? "[]");
      else this.texts[label] = value;
    }
    this.changed();
    return answered(reply(updatePreferences, { success: true, error: null }));
  }
}
