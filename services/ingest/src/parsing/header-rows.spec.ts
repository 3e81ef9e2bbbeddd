import { describe, expect, it } from "@jest/globals";
import { parseCsv } from "./parse-csv.ts";

/** Rows are lines, cells are separated by commas; records of the result by " / ". */
const read = (rows: string): string =>
  parseCsv(rows).text.replace(/\n\n/g, " / ").replace(/\n/g, ", ");

describe("the row that names the columns", () => {
  it.each<[what: string, rows: string, text: string]>([
    ["the first", "Name,Age\nAda,36\nAlan,41", "Name: Ada, Age: 36 / Name: Alan, Age: 41"],
    [
      "texts over texts",
      "Name,City\nAda,London\nAlan,Wilmslow",
      "Name: Ada, City: London / Name: Alan, City: Wilmslow",
    ],
    [
      "years",
      "Florins,2021,2022\nSalt,811,822\nTar,9,8",
      "Florins: Salt, 2021: 811, 2022: 822 / Florins: Tar, 2021: 9, 2022: 8",
    ],
    [
      "years without a name for the first column",
      ",2021,2022\nSalt,811,822\nTar,9,8",
      "Salt, 2021: 811, 2022: 822 / Tar, 2021: 9, 2022: 8",
    ],
    ["dates", "Item,2024-01-01,2024-02-01\nSalt,5,6", "Item: Salt, 2024-01-01: 5, 2024-02-01: 6"],
    [
      "quarters",
      "Item,Q1 2023,Q2 2023\nSalt,5,6\nTar,7,8",
      "Item: Salt, Q1 2023: 5, Q2 2023: 6 / Item: Tar, Q1 2023: 7, Q2 2023: 8",
    ],
    ["days of a month", "Name,1,2,3\nAda,x,,x\nBob,,x,", "Name: Ada, 1: x, 3: x / Name: Bob, 2: x"],
    [
      "words with numbers",
      "Position,Budget 2024,Day 5\nSalt,811,8\nTar,9,7",
      "Position: Salt, Budget 2024: 811, Day 5: 8 / Position: Tar, Budget 2024: 9, Day 5: 7",
    ],
    ["months", "Item,March 2024,April 2024\nSalt,5,6", "Item: Salt, March 2024: 5, April 2024: 6"],
    [
      "one year among names",
      "Position,Unit,2023\nSalt,t,811\nTar,kg,9",
      "Position: Salt, Unit: t, 2023: 811 / Position: Tar, Unit: kg, 2023: 9",
    ],
    [
      "after a title",
      "Fleet 2026,,\nShip,Cargo,Tons\nAurora,salt,120",
      "Fleet 2026 / Ship: Aurora, Cargo: salt, Tons: 120",
    ],
    [
      "after two filled cells",
      "Client: Moot,,Page 1\nDate,Text,Sum\n2024-01-02,Dues,-40\n2024-01-03,Back,15",
      "Client: Moot |  | Page 1 / Date: 2024-01-02, Text: Dues, Sum: -40 / Date: 2024-01-03, Text: Back, Sum: 15",
    ],
    [
      "after labels and values",
      "Account,DE123\nOwner,Moot\nDate,Text,Sum\n2024-01-02,Dues,-40\n2024-01-03,Back,15",
      "Account | DE123, Owner | Moot / Date: 2024-01-02, Text: Dues, Sum: -40 / Date: 2024-01-03, Text: Back, Sum: 15",
    ],
    [
      "after labels, values and a gap",
      "Client,Moot\nPeriod,January\n\nDate,Text,Sum\n2024-01-02,Dues,-40",
      "Client | Moot, Period | January / Date: 2024-01-02, Text: Dues, Sum: -40",
    ],
    ["before a gap", "Name,Age\n\nAda,36\n\nAlan,41", "Name: Ada, Age: 36 / Name: Alan, Age: 41"],
    [
      "two rows, groups over names",
      ",2023,,2024,\nRegion,Q1,Q2,Q1,Q2\nNorth,1,2,3,4",
      "Region: North, 2023 Q1: 1, 2023 Q2: 2, 2024 Q1: 3, 2024 Q2: 4",
    ],
    [
      "with units",
      "Name,Weight,Length\n,kg,(m)\nRope,12,5\nOil,3.5,1",
      "Name: Rope, Weight kg: 12, Length (m): 5 / Name: Oil, Weight kg: 3.5, Length (m): 1",
    ],
    [
      "repeated on each page",
      "Name,Age\nAda,36\nName,Age\nAlan,41",
      "Name: Ada, Age: 36 / Name: Alan, Age: 41",
    ],
    ["fewer names than cells", "Name,City\nAda,London,x", "Name: Ada, City: London, column 3: x"],
    [
      "of several tables",
      "Ships\nName,Tons\nAurora,120\n\nPorts\nPort,Depth\nBrask,9",
      "Ships / Name: Aurora, Tons: 120 / Ports / Port: Brask, Depth: 9",
    ],
    [
      "of a table in sections",
      "Name,Age\nAda,36\n\nLondon\nAlan,41\nGrace,50",
      "Name: Ada, Age: 36 / London / Name: Alan, Age: 41 / Name: Grace, Age: 50",
    ],
    [
      "before a remark",
      "Item,Qty\nRope,2\n\nSource: harbour office",
      "Item: Rope, Qty: 2 / Source: harbour office",
    ],
    [
      "before codes and addresses",
      "Name,IBAN\nAda,DE44 5001 0517\nBob,DE12500105",
      "Name: Ada, IBAN: DE44 5001 0517 / Name: Bob, IBAN: DE12500105",
    ],
    [
      "one of them a long question",
      `Name,${"How often ".repeat(15)}?\nAda,daily\nBob,never`,
      `Name: Ada, ${"How often ".repeat(15)}?: daily / Name: Bob, ${"How often ".repeat(15)}?: never`,
    ],
    [
      "sizes",
      "Item,38,40,44\nBoot,5,3,0\nShoe,1,0,2",
      "Item: Boot, 38: 5, 40: 3, 44: 0 / Item: Shoe, 38: 1, 40: 0, 44: 2",
    ],
    [
      "shares",
      "Item,10%,20%\nSalt,5,6\nTar,7,9",
      "Item: Salt, 10%: 5, 20%: 6 / Item: Tar, 10%: 7, 20%: 9",
    ],
    ["a text over numbers", "Nr,2\n1,5\n2,7", "Nr: 1, 2: 5 / Nr: 2, 2: 7"],
    ["numbered", "Seat1,Seat2\nA1,B2\nC1,D2", "Seat1: A1, Seat2: B2 / Seat1: C1, Seat2: D2"],
    [
      "one of them also a value",
      "Type,Name\nType,Alpha\nClass,Beta",
      "Type: Type, Name: Alpha / Type: Class, Name: Beta",
    ],
    [
      "one of them also every value",
      "Type,Name\nType,Alpha\nType,Beta",
      "Type: Type, Name: Alpha / Type: Type, Name: Beta",
    ],
    [
      "one of them also a value, beside an unusual one",
      "Berth,Status\nNorth,Status\nSouth,free\nEast,free",
      "Berth: North, Status: Status / Berth: South, Status: free / Berth: East, Status: free",
    ],
    [
      "all of them also values",
      "Field,Type\nName,Text\nType,Type\nField,Text",
      "Field: Name, Type: Text / Field: Type, Type: Type / Field: Field, Type: Text",
    ],
    [
      "in another language, also a value",
      "Art;Bezeichnung\nArt;Seil\nKlasse;Öl",
      "Art: Art, Bezeichnung: Seil / Art: Klasse, Bezeichnung: Öl",
    ],
    [
      "also a value among others that differ",
      "Harbour,Captain\nHarbour,Ada\nCanal,Bob\nLake,Cy\nRiver,Di",
      "Harbour: Harbour, Captain: Ada / Harbour: Canal, Captain: Bob / Harbour: Lake, Captain: Cy / Harbour: River, Captain: Di",
    ],
    [
      "also a value, beside numbers",
      "Salt,Ship,Tons\nSalt,Aurora,120\nTar,Borealis,80\nSalt,Calypso,7\nTar,Dione,9",
      "Salt: Salt, Ship: Aurora, Tons: 120 / Salt: Tar, Ship: Borealis, Tons: 80 / Salt: Salt, Ship: Calypso, Tons: 7 / Salt: Tar, Ship: Dione, Tons: 9",
    ],
  ])("%s", (_what, rows, text) => expect(read(rows)).toBe(text));

  it.each<[what: string, rows: string, text: string]>([
    [
      "a missing number",
      "Aurora,yes,n/a\nBorealis,yes,80\nCalypso,no,7",
      "Aurora | yes | n/a, Borealis | yes | 80, Calypso | no | 7",
    ],
    [
      "a usual name that is the usual value",
      "Type,Alpha\nType,Beta\nClass,Gamma",
      "Type | Alpha, Type | Beta, Class | Gamma",
    ],
    [
      "sizes in each row",
      "Boot,38,40,44\nShoe,36,39,41",
      "Boot | 38 | 40 | 44, Shoe | 36 | 39 | 41",
    ],
    ["numbered things", "Seat1,Seat2\nSeat3,Seat4", "Seat1 | Seat2, Seat3 | Seat4"],
    [
      "sentences",
      `Ada,${"It was so. ".repeat(15)}\nBob,${"It was not. ".repeat(15)}`,
      `Ada | ${"It was so. ".repeat(15).trim()}, Bob | ${"It was not. ".repeat(15).trim()}`,
    ],
    [
      "numbers from the start",
      "Aurora,salt,120\nBorealis,tar,80",
      "Aurora | salt | 120, Borealis | tar | 80",
    ],
    [
      "values that recur",
      "Aurora,yes\nBorealis,yes\nCalypso,no",
      "Aurora | yes, Borealis | yes, Calypso | no",
    ],
    ["codes that look alike", "A-1,Rope\nA-2,Lamp\nB-7,Oil", "A-1 | Rope, A-2 | Lamp, B-7 | Oil"],
    [
      "addresses",
      "Ada,ada@example.com\nBob,bob@example.com",
      "Ada | ada@example.com, Bob | bob@example.com",
    ],
    ["a list", "Name\nAda\nAlan", "Name, Ada, Alan"],
    [
      "names and values",
      "Name,Ada\nBorn,1815\nCity,London\nMail,ada@x.org",
      "Name: Ada, Born: 1815, City: London, Mail: ada@x.org",
    ],
    ["labels with colons", "Name:,Ada\nCity:,London", "Name: Ada, City: London"],
  ])("there is none: %s", (_what, rows, text) => expect(read(rows)).toBe(text));

  it("names the values of a table that has its names in the first column", () => {
    expect(read(",Ada,Alan\nBorn,1815,1912\nChildren,3,0")).toBe(
      "Born, Ada: 1815, Alan: 1912 / Children, Ada: 3, Alan: 0",
    );
  });
});

describe("the delimiter of a CSV file", () => {
  it.each<[rows: string, text: string]>([
    ["sep=;\r\nShip;Tons\r\nAurora;120", "Ship: Aurora, Tons: 120"],
    ['"sep=,"\nShip,Tons\nAurora,120', "Ship: Aurora, Tons: 120"],
    ["\ufeffsep=\t\nShip\tTons\nAurora\t1,5", "Ship: Aurora, Tons: 1,5"],
    ["Name;Preis\nSeil;1,50\nÖl;2,75", "Name: Seil, Preis: 1,50 / Name: Öl, Preis: 2,75"],
    [
      "Name\tNote\nAda\tred, blue; green\nBob\tnone",
      "Name: Ada, Note: red, blue; green / Name: Bob, Note: none",
    ],
    ["1,5;2,5\n3,1;4,2", "1,5 | 2,5, 3,1 | 4,2"],
    ["1,5\t2,5\n3,1\t4,2", "1,5 | 2,5, 3,1 | 4,2"],
    ["1,5\n3,1", "1 | 5, 3 | 1"],
    ["Seil;1,50\nÖl;2,75", "Seil | 1,50, Öl | 2,75"],
    ["Seil, rot;1,50\nÖl, gelb;2,75", "Seil, rot | 1,50, Öl, gelb | 2,75"],
    ["Report\n\nName|Price\nRope|1.50", "Report / Name: Rope, Price: 1.50"],
  ])("%j", (rows, text) => expect(read(rows)).toBe(text));
});
