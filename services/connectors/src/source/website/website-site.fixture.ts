import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

const branches = 10;
const filler = (words: string): string =>
  `<p>${`${words} is described here with enough words to tell it from every other page. `.repeat(2)}</p>`;
const link = (href: string): string => `<a href="${href}">link</a>`;

/** A generated site for crawlers: a tree of pages, and everything that goes wrong on real sites. */
export class WebsiteFixture {
  /** Paths in the order in which they were requested. */
  readonly requests: string[] = [];
  /** Answers by path, in place of the site's own. */
  readonly answers = new Map<
    string,
    (request: IncomingMessage, response: ServerResponse) => void
  >();
  robots = "User-agent: *\nDisallow: /docs/secret/\n";
  /** Whether pages have an ETag. */
  hasVersions = false;
  private readonly seen = new Map<string, number>();

  constructor(readonly pages: number) {}

  /** Relative, because that is what crawlers get wrong. */
  private treePage(number: number): string {
    const children = Array.from({ length: branches }, (_, n) => number * branches + n + 1);
    return `<html><head><title>Page ${number}</title></head><body><nav>${link("/docs/")} menu</nav>
      <main><h1>Page ${number}</h1>${filler(`Topic number ${number}`)}
      ${children
        .filter((child) => child < this.pages)
        .map((child) => link(`${child}.html`))
        .join(" ")}
      ${link(`${number}.html?PHPSESSID=${number}${this.requests.length}`)} ${link("#top")}
      </main></body></html>`;
  }

  private readonly start = `<html><head><title>Start</title></head><body>${filler("The start")}
    ${[
      "tree/0.html",
      "calendar?month=1",
      "loop/",
      "shop?color=red&size=1&brand=a&sort=up",
      "moved",
      "inside",
      "outside",
      "concealed",
      "frames.html",
      "latin.html",
      "secret/plan.html",
      "gone.html",
      "busy.html",
      "failing.html",
      "cut.html",
      "hidden.html",
      "copy.html",
      "printed.html?view=print",
      "manual.pdf",
      "picture.png",
      "mailto:someone@example.com",
      "javascript:void(0)",
      "http://[broken",
      "/elsewhere.html",
    ]
      .map(link)
      .join(" ")}</body></html>`;

  readonly listener: RequestListener = (request, response) => {
    const path = request.url ?? "/";
    this.requests.push(path);
    const times = (this.seen.get(path) ?? 0) + 1;
    this.seen.set(path, times);
    const own = this.answers.get(path);
    if (own) return own(request, response);
    const { pathname, searchParams } = new URL(path, "http://site");
    const page = (html: string): void => {
      if (this.hasVersions) {
        if (request.headers["if-none-match"] === `"${path}"`)
          return void response.writeHead(304).end();
        response.setHeader("etag", `"${path}"`);
      }
      response.setHeader("content-type", "text/html; charset=utf-8").end(html);
    };
    const tree = /^\/docs\/tree\/(\d+)\.html$/.exec(pathname);
    if (tree) return page(this.treePage(Number(tree[1])));
    if (pathname.startsWith("/docs/loop/")) return page(`${filler("A loop")}${link("loop/")}`);
    switch (pathname) {
      case "/robots.txt":
        return void response.end(this.robots);
      case "/sitemap.xml":
        return void response.end(
          `<urlset><url><loc>http://${request.headers.host}/docs/mapped.html</loc></url></urlset>`,
        );
      case "/docs/":
        return page(this.start);
      case "/docs/mapped.html":
        return page(filler("Only the sitemap"));
      case "/docs/calendar": {
        const month = Number(searchParams.get("month"));
        return page(`${filler(`Month ${month}`)}${link(`?month=${month + 1}`)}`);
      }
      case "/docs/moved":
        return void response.writeHead(301, { location: "/docs/tree/1.html" }).end();
      case "/docs/inside":
        return void response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
      case "/docs/outside":
        return void response.writeHead(302, { location: "/elsewhere.html" }).end();
      case "/docs/concealed":
        return void response.writeHead(302, { location: "/docs/secret/plan.html" }).end();
      case "/docs/frames.html":
        return page(`<frameset><frame src="framed.html"></frameset>${filler("A frameset")}`);
      case "/docs/framed.html":
        return page(filler("A frame"));
      case "/docs/latin.html":
        return void response
          .setHeader("content-type", "text/html")
          .end(Buffer.from(`<title>Köln</title>${filler("Köln")}${link("copied.html")}`, "latin1"));
      case "/docs/copy.html":
      case "/docs/copied.html":
        return page(`<nav>${pathname}</nav>${filler("A copied text")}`);
      case "/docs/printed.html":
        return page(`<link rel="canonical" href="printed.html">${filler("A printed page")}`);
      case "/docs/hidden.html":
        return page(`<meta name="robots" content="noindex">${filler("Hidden")}`);
      case "/docs/manual.pdf":
        return void response.setHeader("content-type", "application/pdf").end("%PDF-1.4 manual");
      case "/docs/busy.html":
        if (times === 1) return void response.writeHead(429, { "retry-after": "1" }).end("slow");
        return page(filler("A busy page"));
      case "/docs/failing.html":
        if (times === 1) return void response.writeHead(500).end("oops");
        return page(filler("A failing page"));
      case "/docs/cut.html":
        response.writeHead(200, { "content-type": "text/html", "content-length": "9999" });
        response.write("<p>half");
        return void setImmediate(() => response.destroy());
      default:
        return void response
          .writeHead(404, { "content-type": "text/html" })
          .end(filler("Sorry, this page doesn't exist"));
    }
  };
}
