import { describe, expect, it } from "@jest/globals";
import { headingsOf, parse } from "../../test/parse.ts";

describe("saved web pages", () => {
  const page = (headers: string, body: string): string =>
    `From: <Saved by Blink>\nSubject: Harbour\nMIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary="B"\n\n--B\n${headers}\n\n${body}\n--B\nContent-Type: text/html\n\n<p>frame</p>\n--B\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--B--\n`;
  it.each([
    [
      "quoted-printable",
      page(
        "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable",
        "<p>Caspian L=C3=B8v.=\n Twice.</p>",
      ),
      "Caspian Løv. Twice.",
    ],
    [
      "with a charset",
      page(
        "Content-Type: text/html; charset=windows-1251\nContent-Transfer-Encoding: quoted-printable",
        "<p>=CF=F0=E8</p>",
      ),
      "При",
    ],
    [
      "with a declared charset",
      page(
        "Content-Type: text/html\nContent-Transfer-Encoding: base64",
        Buffer.from('<meta charset="windows-1252"><p>M\xf6we</p>', "latin1").toString("base64"),
      ),
      "Möwe",
    ],
    [
      "with a title",
      page("Content-Type: text/html", "<title>Tides</title><p>Ebb</p>"),
      "Tides\n\nEbb",
    ],
    ["empty but for its frame", page("Content-Type: text/html", "<p></p>"), "frame"],
    ["of one part", "MIME-Version: 1.0\nContent-Type: text/html\n\n<p>Alone</p>", "Alone"],
  ])("%s", async (_what, source, text) => {
    for (const name of ["a.mht", "a.mhtml"]) expect((await parse(name, source)).text).toBe(text);
  });

  it("are recognised under other names", async () => {
    const source = page("Content-Type: text/html", "<p>Ebb</p>");
    for (const name of ["a.doc", "page"])
      expect(await parse(name, source)).toMatchObject({ format: "mhtml", text: "Ebb" });
  });
});

describe("notebooks", () => {
  it("are their text, code and printed results", async () => {
    const picture = "iVBORw0KGgo".repeat(1_000);
    const parsed = await parse(
      "a.ipynb",
      JSON.stringify({
        cells: [
          {
            cell_type: "markdown",
            source: ["# Tides\n", `![x](data:image/png;base64,${picture})`],
          },
          {
            cell_type: "code",
            source: "print(depth)",
            outputs: [
              { output_type: "stream", text: ["7\n", "8\n"] },
              {
                output_type: "display_data",
                data: { "image/png": picture, "text/plain": "<Figure>" },
              },
              {
                output_type: "error",
                ename: "ValueError",
                evalue: "too deep",
                traceback: ["\u001b[31m"],
              },
            ],
          },
          { cell_type: "raw", source: "Raw." },
          null,
        ],
      }),
    );
    expect(parsed.text).toBe(
      "# Tides\n![x]()\n\nprint(depth)\n\n7\n8\n\n<Figure>\n\nValueError: too deep\n\nRaw.",
    );
    expect(headingsOf(parsed)).toEqual(["1 Tides"]);
    const old = {
      worksheets: [
        {
          cells: [
            { cell_type: "heading", level: 2, source: "Ebb" },
            { cell_type: "code", input: ["x = 1"], outputs: [] },
          ],
        },
      ],
    };
    expect((await parse("a.ipynb", JSON.stringify(old))).text).toBe("Ebb\n\nx = 1");
    expect((await parse("a.ipynb", `{"cells": [{"source": "Half", "png": "${picture}`)).text).toBe(
      '{"cells": [{"source": "Half", "png": "',
    );
  });
});

describe("JSON that isn't quite JSON", () => {
  it.each([
    '{\n // comment\n "captain": "Ingrid Solheim",\n}',
    "{captain: 'Ingrid Solheim'}",
    '{"captain": "Ingrid Solheim"}\nand more',
    '{"captain": "Ingrid Solheim"',
  ])("stays text: %s", async (source) => expect((await parse("a.json", source)).text).toBe(source));

  it("is read with a mark, in lines, and with long numbers", async () => {
    expect((await parse("a.json", '\ufeff{"a": 1}')).text).toBe("a: 1");
    expect((await parse("a.json", '\ufeff{"a": 1}\n\n{"a": 2}\n')).text).toBe("a: 1\n\na: 2");
    expect(
      (await parse("a.json", '{"a": 12345678901234567890, "b": "12345678901234567890"}')).text,
    ).toBe("a: 12345678901234567890\nb: 12345678901234567890");
  });
});

describe("contacts", () => {
  it("are read in all versions, without pictures", async () => {
    const parsed = await parse(
      "a.vcf",
      [
        "BEGIN:VCARD",
        "VERSION:4.0",
        "N:Lund;Perpetua;;Dr.;",
        "FN:Dr. Perpetua Lund",
        "item1.ORG:Halcyon;Harbour\\, north",
        "TEL;TYPE=work,voice;VALUE=uri:tel:+47-1",
        'ADR;TYPE=home;LABEL="a:b":;;Quay 7;Skarnholm;;0150;Norway',
        "NOTE:First line\\nsecond",
        " , folded",
        "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ",
        "END:VCARD",
        "BEGIN:VCARD",
        "VERSION:2.1",
        "N:Vyun;Ivan",
        "TEL;CELL:+7 1",
        "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=B6we=",
        " und mehr",
        "END:VCARD",
      ].join("\r\n"),
    );
    expect(parsed.text).toBe(
      "Dr. Perpetua Lund\n\nOrganization: Halcyon, Harbour, north\nPhone: +47-1 (work)\nAddress: Quay 7, Skarnholm, 0150, Norway (home)\nNote: First line\nsecond, folded\n\nIvan Vyun\n\nPhone: +7 1 (cell)\nNote: Möwe und mehr",
    );
    expect(headingsOf(parsed)).toEqual(["1 Dr. Perpetua Lund", "1 Ivan Vyun"]);
  });
});

describe("calendars", () => {
  const event = (...lines: string[]): string =>
    ["BEGIN:VCALENDAR", "BEGIN:VEVENT", ...lines, "END:VEVENT", "END:VCALENDAR"].join("\r\n");
  it("say what, when, where, who and how often", async () => {
    const parsed = await parse(
      "a.ics",
      event(
        "SUMMARY:Harbour board\\, north",
        "DTSTART;TZID=Europe/Oslo:20261130T093000",
        "DTEND;TZID=Europe/Oslo:20261130T103000",
        "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;COUNT=10",
        "LOCATION:Quay 7",
        'ATTENDEE;CN="Lund, P.";PARTSTAT=ACCEPTED:mailto:p@example.org',
        "ATTENDEE:mailto:q@example.org",
        "DESCRIPTION:Bring\\nthe log.",
        "BEGIN:VALARM",
        "DESCRIPTION:no",
        "END:VALARM",
      ),
    );
    expect(parsed.text).toBe(
      "Harbour board, north\n\nStart: 2026-11-30 09:30 (Europe/Oslo)\nEnd: 2026-11-30 10:30 (Europe/Oslo)\nRepeats: Every 2 weeks on Monday, Wednesday, 10 times\nLocation: Quay 7\nAttendees: Lund, P. <p@example.org> (accepted), q@example.org\n\nBring\nthe log.",
    );
    expect(headingsOf(parsed)).toEqual(["1 Harbour board, north"]);
  });

  it.each([
    ["FREQ=DAILY", "Every day"],
    ["FREQ=DAILY;INTERVAL=3;UNTIL=20270101T120000Z", "Every 3 days until 2027-01-01 12:00 UTC"],
    ["FREQ=MONTHLY;BYDAY=2TU", "Every month on 2nd Tuesday"],
    ["FREQ=MONTHLY;BYDAY=-1FR", "Every month on last Friday"],
    ["FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1", "Every month on the last Monday, Tuesday"],
    ["FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=17", "Every year on the 17th day in May"],
    ["FREQ=MONTHLY;BYMONTHDAY=22", "Every month on the 22nd day"],
    ["X=1", "X=1"],
  ])("repeating %s", async (rule, words) => {
    const { text } = await parse("a.ics", event("SUMMARY:a", "DTSTART:20261130", `RRULE:${rule}`));
    expect(text).toBe(`a\n\nStart: 2026-11-30\nRepeats: ${words}`);
  });
});

describe("subtitles", () => {
  it.each([
    [
      "a.srt",
      "1\n00:00:01,000 --> 00:00:02,500\n<i>High</i>\nwater.\n\n2\n00:01:30,000 --> 00:01:32,000\n{\\an8}Ebb.\n",
    ],
    [
      "a.vtt",
      "WEBVTT\n\nNOTE no\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:02.500 align:start\n<c.a>High</c> water.\n\n01:30.000 --> 01:32.000\nEbb.\n",
    ],
    ["a.sub", "{1}{1}25\n{25}{60}High|water.\n{2250}{2300}{y:i}Ebb.\n"],
    [
      "b.sub",
      "[INFORMATION]\n00:00:01.00,00:00:02.50\nHigh[br]water.\n\n00:01:30.00,00:01:32.00\nEbb.\n",
    ],
  ])("%s", async (name, source) => {
    const parsed = await parse(name, source);
    expect(parsed.text).toBe("00:00:01\n\nHigh water.\n\n00:01:30\n\nEbb.");
    expect(headingsOf(parsed)).toEqual(["1 00:00:01", "1 00:01:30"]);
  });

  it("name their speakers, and stay text if they are none", async () => {
    expect(
      (await parse("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Tove>Yes.</v>\n")).text,
    ).toContain("Tove: Yes.");
    expect((await parse("a.srt", "Only words.")).text).toBe("Only words.");
  });
});
