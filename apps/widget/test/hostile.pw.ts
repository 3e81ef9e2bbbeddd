import { expect, test } from "./fixtures.ts";

const attacks = [
  "<script>top.hacked = 1</script>",
  "<img src=x onerror='top.hacked = 1'>",
  "[a](javascript:top.hacked=1) [b](&#106;avascript:top.hacked=1) [c](data:text/html,x)",
  "![x](javascript:top.hacked=1) ![pixel](https://tracker.example/p.png)",
  "<a href='javascript:top.hacked=1'>d</a>",
  "`<svg onload=top.hacked=1>`",
  "<style>*{display:none}</style>",
];

test("no script, style or picture of a message gets in", async ({
  page,
  gateway,
  site,
  widget,
}) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  gateway.parts = [attacks.join("\n\n")];
  gateway.sources = [
    { title: "<b onclick=1>Title</b>", text: "<script>1</script>", url: "javascript:top.hacked=1" },
  ];
  await widget.open();
  await widget.ask(attacks.join(" "));
  const answer = widget.answers.last();
  await expect(answer).toContainText("<script>top.hacked = 1</script>");
  await answer.getByText("Sources (1)").click();
  await expect(answer).toContainText("<b onclick=1>Title</b>");
  const links = answer.getByRole("link");
  await expect(links).toHaveText(["pixel"]);
  await links.evaluateAll((all) => all.forEach((link) => link.removeAttribute("href")));
  await expect(
    widget.dialog.locator("script, style, iframe, img, [onerror], [onclick]"),
  ).toHaveCount(0);
  expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  const own = [gateway.url, site.url, "null"];
  expect(requests.filter((url) => !own.includes(new URL(url).origin))).toEqual([]);
});

test("texts that are slow or deep to parse are shown as they are", async ({ gateway, widget }) => {
  for (const attack of [
    ">".repeat(3_000) + "x",
    Array.from({ length: 100 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n"),
    "_a".repeat(30_000),
  ]) {
    gateway.turns = [{ question: "Hello", answer: attack }];
    await widget.visit();
    if ((await widget.dialog.count()) === 0) await widget.button.click();
    await expect(widget.answers.last().locator("p.plain")).toHaveCount(1);
  }
});

test("attributes of the tag load and run nothing unexpected", async ({ page, site, widget }) => {
  site.attributes = {
    "data-sponsor-text": "Sponsor",
    "data-sponsor-link": "javascript:top.hacked=1",
    "data-support-email": "a@b.c?body=x&bcc=d@e.f",
    "data-button-color": "red; background: url(https://tracker.example)",
    "data-window-width": "1px; display: none",
  };
  await widget.open();
  await expect(page.getByText("Sponsor")).toBeVisible();
  await expect(page.getByRole("link", { name: "Sponsor" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Email support" })).toHaveAttribute(
    "href",
    "mailto:a@b.c%3Fbody%3Dx%26bcc%3Dd@e.f",
  );
  await expect(widget.button).toHaveCSS("background-color", "rgb(38, 38, 38)");
});

test("a tag without its required attributes fails loudly", async ({ page, site }) => {
  site.attributes = { "data-embed-id": "" };
  const error = page.waitForEvent("pageerror");
  await page.goto(site.url);
  expect((await error).message).toContain("data-embed-id and data-base-api-url");
  await expect(page.locator("carrel-widget")).toHaveCount(0);
});
