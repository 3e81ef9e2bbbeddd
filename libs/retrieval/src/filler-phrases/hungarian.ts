import type { FillerPhrases } from "../filler-roles.ts";

export const hungarianFillers: FillerPhrases = {
  glue: `
    a, az, egy, és, vagy, de, hogy, ha, is, csak, kizárólag, csupán, nagyon, kicsit, szívesen, ez,
    azt, ezt, ezek, azok, ezeket, annak, ennek, arra, erre, amely, amelyek, amit, ami, te, ön,
    önök, neked, önnek, téged, legyen, lenne, van, vannak, volt, lesz, nem, ne, nincs, sem, semmit,
    mert, mivel, számára, nélkül, lehet, lehetséges, minden, mindig, mind, itt, most, igen, jó, ok,
    akkor, egyébként, pedig, szerint, kell, kellene, szeretném, szeretnék, szeretnénk, tud, tudsz,
    néhány, valami, kedves, meg, ki, le, fel, el, be, össze, alapján, soha, inkább, kérem, bármi,
    magad
  `,
  self: `
    én, engem, nekem, nekünk, vagyok, mi, minket, egy új, mint, szükségem, szükségünk,
    kollégáimnak, csapatomnak, főnökömnek, tanáromnak, szeretném, szeretnék, dolgozom, írok,
    készülök, készítek, tanulok, kutatok
  `,
  modal: `
    tudnál, tudnád, tudna, tudná, tudsz, meg tudnád, meg tudná, meg tudod, meg tudja, el tudnád,
    el tudná, el tudod, tudnátok, lehetne, lehetséges lenne, lehetséges, kérhetem, kérhetném,
    kérdezhetek, megkérdezhetem, lennél szíves, lenne szíves, lennél olyan kedves,
    lenne olyan kedves, valaki tudna, tudna valaki, valaki meg tudná
  `,
  please: `
    kérem, kérlek, légy szíves, legyen szíves, légyszi, légyszíves, lsz, legyen olyan kedves,
    ha lehet, ha lehetséges, amennyiben lehetséges, ha van időd, ha van ideje, egyébként,
    szíveskedjen, szíveskedjék
  `,
  ask: `
    mondd meg, mondja meg, mondd el, mondja el, mondd, mondja, megmondani, elmondani, megmondanád,
    megmondaná, elmondanád, elmondaná, magyarázd el, magyarázza el, elmagyarázni, elmagyaráznád,
    elmagyarázná, mutasd meg, mutassa meg, megmutatni, adj meg, adja meg, add meg, segíts,
    segítsen, segítene, segítenél, segíteni, segítenél megérteni, írd le, írja le, leírni, leírnád,
    ismertesd, ismertesse, emlékeztess, tudod, tudja, tudjátok, tudja valaki, esetleg tudod,
    nem tudod, azon tűnődöm, azon gondolkodom, kíváncsi vagyok, kíváncsi lennék,
    kíváncsi vagyok arra, szeretném tudni, szeretném megtudni, tudni szeretném,
    meg szeretném tudni, azt szeretném tudni, meg szeretném kérdezni, szeretném megkérdezni,
    azt szeretném kérdezni, érdekelne, az érdekelne, van egy kérdésem, lenne egy kérdésem,
    egy kérdésem lenne, egy gyors kérdés, gyors kérdés, egy kérdés, a kérdésem az, a kérdésem,
    kérdésem, a kérdés az
  `,
  learn: `
    tudni, megtudni, kérdezni, megkérdezni, megérteni, megtalálni, kideríteni, megismerni, többet,
    mondani, elmondani, magyarázni, segíteni
  `,
  after: "hogy, nekem, nekünk, vajon, azt, arról, kérem, kérlek",
  greeting: `
    szia, sziasztok, helló, hello, üdv, üdvözlöm, üdvözletem, jó napot, jó napot kívánok,
    jó reggelt, jó estét, jó reggelt kívánok, jó estét kívánok, szép napot, tisztelt,
    tisztelt hölgyem, tisztelt uram, kedves, hogy vagy, hogy van, remélem, elnézést,
    elnézést kérek, bocsánat, bocs, bocsi, sajnálom, ne haragudj, ne haragudjon, kérdés
  `,
  closing: `
    köszönöm, köszönöm szépen, nagyon köszönöm, köszi, köszi szépen, kösz, köszönjük,
    hálásan köszönöm, előre is köszönöm, előre is köszi, köszönöm előre is, hálás vagyok,
    hálás lennék, üdvözlettel, tisztelettel, szívélyes üdvözlettel, viszontlátásra, viszlát,
    szép napot, további szép napot, minden jót
  `,
  courtesy: `
    előre, szépen, zavarás, zavarásért, zavarok, zavarom, zavarni, idejét, idődet, segítséget,
    segítséged, segítségét, segítségedet, türelmet, türelmét, jól, napot, nap, mindenki,
    mindenkinek, csapat, újra, üzenet, választ, válaszát, kívánok, hálásan, buta
  `,
  verb: `
    válaszolj, válaszoljon, válaszolni, felelj, feleljen, írj, írjon, írd, írja, írni, formázd,
    formázza, add, adja, adj, adjon, adni, mutasd, mutassa, tartsd, tartsa, használj, használjon,
    használd, használja, használni, sorold, sorolja, készíts, készítsen, korlátozd, kerüld,
    kerülje, idézd, idézze, idézz, idézzen, említsd, jelöld, jelölje, fogalmazz, fogalmazzon,
    fogalmazd, fogalmazza, strukturáld, támaszkodj, támaszkodjon, keress, keressen, keresd,
    keresse, nézd, nézze, olvasd, ellenőrizd, találj, találjon, találgass, mondd, gondolkodj,
    beszélj, fordítsd, foglald, hivatkozz, hivatkozzon, hivatkozd
  `,
  answer: `
    válasz, választ, válaszod, válaszodat, válaszát, válaszok, válaszokat, magyarázat,
    magyarázatot, eredmény, eredményt, kérdésre, állítás, állításokat
  `,
  adverb: `
    röviden, tömören, röviden és tömören, dióhéjban, részletesen, bővebben, alaposan,
    lépésről lépésre, pontról pontra, pontokba szedve, egyszerűen, egyszerű szavakkal,
    egyszerű nyelven, közérthetően, érthetően, saját szavaiddal, néhány szóban, pár szóban,
    felsorolásként, felsorolásszerűen, felsorolás formájában, listaként, lista formájában,
    táblázatként, táblázat formájában, táblázatban, példákkal, példával, forrásokkal,
    forrásmegjelöléssel, mintha öt éves lennék, mint egy gyereknek, szó szerint,
    a lehető legrövidebben
  `,
  manner: `
    rövid, tömör, részletes, felsorolás, felsorolást, felsorolásjel*, felsorolásban, pontokban,
    pontokba, számozott lista, egyszerű szavak, lépés, szakzsargon, zsargon, ne találj ki,
    találj ki semmit, kitalálj, kitalálni, nem tudod, nem tudja, nem vagy biztos, találgass,
    hallucinálj, őszintén, általános tudás, igen vagy nem, hivatalos hangnem*, baráti hangnem*,
    udvariasan, oldalszám*, forrásmegjelölés*
  `,
  form: `
    lista, listát, listában, listája, táblázat, táblázatot, formátum, formátumban, formában,
    alcím*, címsor*, félkövér*, dőlt, magyarul, magyar, angolul, angol, németül, német, franciául,
    spanyolul, olaszul, románul, oroszul, kínaiul, arabul, nyelven, nyelv, stílus, stílusban,
    hangnem*, egyszerű, világos, világosan, pontos, pontosan, teljes, hosszú, sor, sort, sorban,
    pont, példa, példák, példát, forrás, források, forrást, forrásokat, forrásaidat, idézet,
    idézetet, idézeteket, hivatkozás*, oldal, hivatalos, számozott, maximum, kezdő*, gyerek*,
    részletek, tények, sorrend*, biztos, markdownban
  `,
  unit: `
    mondat, mondatot, mondatban, szó, szót, szóban, szóból, bekezdés, bekezdést, bekezdésben,
    karakter*, sorban, pontban, szavas, mondatos
  `,
  amount: `
    egy, egyetlen, két, kettő, három, négy, öt, hat, hét, nyolc, kilenc, tíz, ötven, száz, néhány,
    pár, maximum, legfeljebb, legalább, nem több mint, kevesebb mint, több mint, körülbelül, vagy,
    rövid
  `,
  lead: "egy, egyetlen, két, három, négy, öt, néhány, pár, legfeljebb, nélkül, maximum",
  relation: `
    alapján, szerint, alapul véve, figyelembe véve, felhasználásával, segítségével, csak,
    kizárólag, támaszkodva, hivatkozva
  `,
  source: `
    dokumentum, dokumentumok, dokumentumot, dokumentumokat, dokumentumban, dokumentumokban,
    dokumentumból, dokumentumokból, dokumentumokra, fájl, fájlok, fájlban, fájlokban, fájlokból,
    fájlokat, tudásbázis*, melléklet*, csatolmány*, kontextus*, forrás, források, forrásokban,
    forrásokból, pdf, munkaterület*
  `,
  matter: `
    szöveg, szövegek, szövegben, szövegből, anyag, anyagok, anyagokból, anyagban, tartalom,
    tartalma, adat, adatok, adatokból, információ, információk, információkat, információkból,
    dokumentáció*, oldalak, cikk, cikkek
  `,
  given: `
    feltöltött, csatolt, megadott, mellékelt, adott, fenti, alábbi, lenti, következő,
    rendelkezésre álló, elérhető, megosztott, általam feltöltött, általam megadott, bennük,
    biztosított, található
  `,
  purpose: `
    készülök, készítek, készíteni, készítésére, írok, írni, dolgozom, tanulok, tanulni, kutatok,
    keresek, tervezek, tartok, segítség, segítségre, egy kis segítségre,
    segítségre lenne szükségem, szükségem, próbálok, érdekel, érdeklődöm, új, felkészülök,
    jól jönne
  `,
  setting: `
    előadás, előadásra, előadást, prezentáció*, beszéd*, rövid, kis, kicsi, esszé*, cikket,
    jelentés*, beszámoló*, szakdolgozat*, dolgozat*, házi feladat*, feladat*, projekt*, vizsga,
    vizsgára, teszt*, kurzus*, óra, órára, szeminárium*, műhely*, képzés*, megbeszélés*,
    értekezlet*, interjú*, kolléga, kollégák, kollégáknak, kollégáim, munkatárs*, csapat*, főnök*,
    ügyfél*, ügyfel*, barát*, család*, gyerekek, diák, diákok, hallgató, tanuló, egyetemista,
    tanár, kutató, újságíró, alkalmazott, munkatárs, gyakornok, kezdő, iskola, iskolában, egyetem*,
    munka, munkához, iroda, cég, cégnél, osztály*, téma, hét, hétre, jövő, holnap, holnapi, ma,
    hónap, éppen, jelenleg, hétfő*, kedd*, szerda, csütörtök*, péntek*, blog*
  `,
  placeholder: "valaki, valahol, bárki, ki más, mi más, mi még",
  asking: `
    kicsoda, kik, kit, kinek, mit, mik, melyik, melyek, hol, honnan, hová, mikor, miért, hogyan,
    hány, hányan, mennyi, mennyibe, milyen, meddig
  `,
  mention: "szó, jelenti, jelent, mondják, kifejezés",
};
