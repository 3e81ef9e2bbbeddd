import type { FillerPhrases } from "../filler-roles.ts";

export const germanFillers: FillerPhrases = {
  glue: `
    der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, und, oder, aber, also,
    doch, mal, einmal, kurz mal, eben, gerade, nur, ausschließlich, lediglich, auch, noch, schon,
    sehr, ganz, etwas, wenig, bisschen, so, dann, jetzt, nun, hier, da, dazu, dafür, darüber,
    davon, daran, darauf, es, sie, ihr, ihre, ihren, ihrer, ihnen, du, dein, deine, deinen, deiner,
    dich, dir, euch, eure, sich, man, ist, sind, sei, sein, war, wäre, wären, bist, seid, werden,
    wird, hast, hat, haben, habe, hätte, hätten, gibt, kann, können, könnte, möglich, möglichst,
    gern, gerne, nicht, kein, keine, keinen, ohne, wenn, falls, weil, damit, dass, was, zu, zum,
    zur, für, von, vom, an, am, auf, bei, im, alle, alles, jede, jeden, jeder, einige, wirklich,
    eigentlich, bloß, allem, insgesamt, dieser, diese, diesen, dieses, diesem, ja, nein, ok, okay,
    gut, sowie, sonst, stattdessen, sollen, sollte, sollst, soll, bitte beachte, mit bezug,
    wo möglich, falls möglich, wenn möglich, nach möglichkeit, würde, würden, bin, ans, wird es,
    unklar, zufällig, vielleicht
  `,
  self: `
    ich, mir, mich, mein, meine, meinen, meiner, meinem, meines, wir, uns, unser, unsere, unserem,
    unseren, unserer, als
  `,
  modal: `
    kannst du, könntest du, können sie, könnten sie, könnt ihr, könntet ihr, kannst, könntest,
    würdest du, würden sie, kann ich, könnte ich, darf ich, dürfte ich, können wir, kann man,
    kann jemand, könnte jemand, wäre es möglich, ist es möglich, wärst du, wären sie, magst du,
    möchtest du, hättest du, du kannst, sie können, du sollst, sie sollen
  `,
  please: `
    bitte, bittschön, bitte schön, bitte sehr, wenn möglich, falls möglich, freundlicherweise,
    wenn es keine umstände macht, wenn du zeit hast, wenn sie zeit haben, übrigens, so nett,
    so freundlich
  `,
  ask: `
    sag mir, sage mir, sagt mir, sagen sie mir, sag uns, sagen sie uns, mir sagen, uns sagen,
    mir bitte sagen, mir kurz sagen, verrate mir, verraten sie mir, mir verraten, mir erklären,
    uns erklären, erklär, erkläre, erklär mir, erkläre mir, erklären sie, erklären sie mir,
    erklären, zeig mir, zeige mir, zeigen sie mir, mir zeigen, nenn mir, nenne mir, nennen sie mir,
    mir nennen, gib mir, geben sie mir, mir helfen, hilf mir, helfen sie mir, beschreib,
    beschreibe, beschreiben sie, erläutere, erläutern sie, erläutern, weißt du, wissen sie,
    weiß jemand, wisst ihr, ich frage mich, ich habe mich gefragt, ich wollte fragen,
    ich wollte wissen, mich würde interessieren, mich interessiert, es würde mich interessieren,
    ich bin neugierig, ich habe eine frage, ich hätte eine frage, ich hätte da eine frage,
    ich habe da eine frage, ich habe mal eine frage, ich habe noch eine frage, kurze frage,
    eine frage, eine kurze frage, noch eine frage, meine frage ist, meine frage lautet,
    die frage ist, meine frage, mir mitteilen, teile mir mit, teilen sie mir mit, informiere mich,
    mir weiterhelfen, mir auskunft geben, lass mich wissen, lassen sie mich wissen,
    mir beschreiben, ich möchte gern wissen, ich möchte gerne wissen, ich möchte wissen,
    ich würde gern wissen, ich würde gerne wissen, ich will wissen, ich wüsste gern,
    ich wüsste gerne, ich möchte fragen
  `,
  learn: `
    wissen, erfahren, herausfinden, herauszufinden, fragen, verstehen, besser verstehen, lernen,
    sagen, beantworten, mehr erfahren, nachfragen, auskunft, informationen, informiert werden
  `,
  after: "ob, dass, mir, uns, bitte, mal, einmal, über, etwas, mehr, denn, zufällig, vielleicht",
  greeting: `
    hallo, hi, hey, guten tag, guten morgen, guten abend, schönen guten tag, servus, moin,
    grüß gott, grüezi, liebe, lieber, liebes, sehr geehrte, sehr geehrter,
    sehr geehrte damen und herren, hallo zusammen, hallo nochmal, hallo liebes team, na,
    willkommen, wie geht es dir, wie geht es ihnen, wie geht s, wie gehts, entschuldigung,
    entschuldige, entschuldigen sie, verzeihung, sorry, tut mir leid, es tut mir leid, ich hoffe,
    hoffentlich, frage
  `,
  closing: `
    danke, danke schön, dankeschön, vielen dank, herzlichen dank, besten dank, tausend dank,
    vielen lieben dank, lieben dank, dank, ich danke, wir danken, dankbar, mit freundlichen grüßen,
    freundliche grüße, viele grüße, liebe grüße, beste grüße, herzliche grüße, schöne grüße, grüße,
    gruß, mfg, lg, vg, tschüss, bis bald, auf wiedersehen, schönen tag, schönen tag noch,
    einen schönen tag, einen schönen tag noch, merci
  `,
  courtesy: `
    im voraus, voraus, vorab, schon mal, störe, störung, stören, zeit, mühe, geduld, hilfe,
    unterstützung, geht, gut, tag, abend, morgen, zusammen, team, nochmal, nochmals, herzlich,
    sehr, freundlich, nett, damen, herren, assistent, freuen, antwort, rückmeldung, leute, alle,
    wohl, dumme, frage, fragen, einfache
  `,
  verb: `
    antworte, antworten, antworten sie, antwortet, beantworte, beantworten, schreib, schreibe,
    schreiben, formatiere, formatieren, formuliere, formulieren, gib, geben, liefere, liefern,
    halte, halten, halt, verwende, verwenden, benutze, benutzen, nutze, nutzen, nimm, liste,
    listen, stelle, stellen, fasse, fass, fassen, zeige, zeigen, gliedere, gliedern, strukturiere,
    strukturieren, nenne, nennen, zitiere, zitieren, belege, belegen, gib an, angeben, begrenze,
    begrenzen, beschränke, beschränken, vermeide, vermeiden, sei, bleib, bleibe, bleiben, mach,
    mache, machen, erfinde, erfinden, rate, raten, sag, sage, sagen, suche, suchen, such, schau,
    schaue, schauen, sieh, sehen, lies, lesen, prüfe, prüfen, stütze, stützen, beziehe, beziehen,
    bezieh, berücksichtige, denke, denk, denken, erstelle, erstellen, ausgeben, darstellen, dar,
    aus, auf, führe, achte, verzichte, verzichten, formulier, ergänze, füge, hinzu, gehe, geh, vor,
    übersetze
  `,
  answer: `
    antwort, antworten, die antwort, deine antwort, ihre antwort, rückmeldung, erklärung,
    erläuterung, ausgabe, ergebnis, ergebnisse, beantwortung, aussage, aussagen, frage, fragen,
    folgende frage, folgenden fragen
  `,
  adverb: `
    kurz, knapp, kurz und knapp, kurz und bündig, in kürze, in kurzen worten, in wenigen worten,
    in einfachen worten, mit einfachen worten, in eigenen worten, in einfacher sprache,
    in leichter sprache, ausführlich, im detail, detailliert, schritt für schritt, stichpunktartig,
    stichwortartig, in stichpunkten, in stichworten, in stichwörtern, als aufzählung, als liste,
    als tabelle, in tabellenform, tabellarisch, in listenform, in form einer liste,
    in form einer tabelle, in form einer aufzählung, als aufzählungsliste, als stichpunkte,
    als stichpunktliste, wie für ein kind, wie einem kind, wie einem fünfjährigen, für laien,
    für anfänger, möglichst kurz, so kurz wie möglich, so einfach wie möglich,
    so genau wie möglich, mit quellenangabe, mit quellenangaben, mit quellen, mit belegen,
    mit beispielen, mit einem beispiel, präzise, in aller kürze, in aller ausführlichkeit
  `,
  manner: `
    kurze, kurzen, kurzer, kurzes, kürzer, knappe, knappen, knapper, bündig, prägnant, prägnante,
    präzise, ausführlich*, detailliert*, stichpunkt*, stichwort*, stichwört*, aufzählung*,
    aufzählungszeichen, aufzählungspunkt*, nummerierte liste, nummerierten liste, bulletpoint*,
    bullet points, bullets, einfachen worten, einfache worte, einfacher sprache,
    leicht verständlich, verständlich, allgemeinverständlich, schritt für schritt, quellenangabe*,
    seitenzahl*, wörtlich, halluziniere*, spekuliere*, erfinde nichts, nichts erfinden,
    nicht weißt, nicht wissen, nicht sicher, unsicher, weißt du es nicht, sag es, dann sag das,
    ehrlich, nichts dazu, keine vermutungen, floskeln, fachjargon, fachbegriffe, höflich, sachlich,
    freundlichem ton, formellem ton, förmlich, kein vorwissen, allgemeinwissen, vorwissen,
    ja oder nein
  `,
  form: `
    liste, listen, tabelle, tabellen, form, format, formate, überschrift, überschriften, fett,
    kursiv, deutsch, deutsche, deutscher, englisch, englischer, französisch, spanisch, italienisch,
    portugiesisch, niederländisch, türkisch, russisch, ukrainisch, arabisch, chinesisch, japanisch,
    koreanisch, polnisch, sprache, stil, ton, einfach, einfache, einfachen, einfacher, klar, klare,
    klaren, genau, genaue, vollständig, vollständige, lang, lange, länger, zeile, zeilen, punkt,
    punkte, punkten, beispiel, beispiele, beispielen, quelle, quellen, zitat, zitate, beleg,
    belege, textstelle, textstellen, stelle, stellen, seite, seiten, abschnitt, formell, informell,
    nummeriert, nummerierte, nummerierten, gegliedert, strukturiert, maximal, minimum, laie, laien,
    kind, anfänger, fakten, reihenfolge, länge, gefunden, sicher, richtig, wichtig, wichtigsten,
    fließtext, nichts, namen, name, zahl, datum, jahreszahl
  `,
  unit: `
    satz, sätze, sätzen, wort, wörter, wörtern, worte, worten, absatz, absätze, absätzen, zeichen,
    zeilen, stichpunkte, stichpunkten, punkten, punkte
  `,
  amount: `
    ein, eine, einem, einer, einen, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn,
    fünfzig, hundert, wenigen, wenige, paar, ein paar, maximal, höchstens, mindestens, bis zu,
    nicht mehr als, weniger als, mehr als, etwa, ungefähr, rund, genau, oder, bis, einzigen,
    kurzen, einfachen, knappen
  `,
  lead: "in, als, auf, mit, mithilfe, unter, innerhalb, im, per, aus, ohne, zu, nach",
  relation: `
    anhand, basierend auf, auf basis, auf grundlage, auf der grundlage, auf der basis, aufgrund,
    laut, gemäß, nach, entsprechend, ausgehend von, unter berücksichtigung, unter verwendung,
    mithilfe, mit hilfe, unter bezugnahme auf, mit blick auf, in bezug auf, bezogen auf, aus,
    nur aus, gestützt auf, zufolge, nach angaben
  `,
  source: `
    dokument, dokumente, dokumenten, dokuments, datei, dateien, wissensbasis, wissensdatenbank,
    unterlagen, anhang, anhänge, anhängen, arbeitsbereich, kontext, quelle, quellen, pdf, pdfs,
    upload, uploads, quelldokumente, quelldokumenten, kontexts, kontextes
  `,
  matter: `
    text, texte, texten, textes, material, materialien, inhalt, inhalte, inhalten, daten,
    informationen, angaben, dokumentation, sammlung, seiten, artikel, artikeln, auszüge, auszügen,
    passagen, datenbank
  `,
  given: `
    hochgeladen*, bereitgestellt*, zur verfügung gestellt*, zur verfügung stehenden, vorliegend*,
    angehängt*, beigefügt*, gegeben*, obige*, obigen, folgend*, vorhanden*, geteilt*, verfügbar*,
    angegeben*, mitgeliefert*, übergeben*, die ich hochgeladen habe, ich hochgeladen habe,
    die du hast, gespeichert*, internen, enthaltenen, folgendes
  `,
  purpose: `
    bereite, bereiten, vorbereiten, vorbereite, vorzubereiten, vor, schreibe, schreiben, arbeite,
    arbeiten, arbeite an, lerne, lernen, studiere, recherchiere, recherchieren, suche, suchen,
    plane, planen, erstelle, erstellen, halte, halten, brauche, bräuchte, benötige, etwas hilfe,
    hilfe, deine hilfe, ihre hilfe, unterstützung, neu, versuche, versuchen, muss, interessiere,
    interessiert, beschäftige, beschäftigt, sammle, unterrichte, brauche das, brauche es
  `,
  setting: `
    vortrag, vortrags, präsentation, referat, aufsatz, artikel, bericht, hausarbeit, hausaufgabe,
    hausaufgaben, bachelorarbeit, masterarbeit, doktorarbeit, projekt, projekte, prüfung, klausur,
    test, quiz, kurs, unterricht, seminar, workshop, schulung, sitzung, besprechung, meeting,
    interview, kollege, kollegen, kolleginnen, kollegin, team, chef, chefin, kunde, kunden,
    freunde, familie, kinder, schüler, schülerin, student, studentin, studierende, lehrer,
    lehrerin, forscher, journalist, mitarbeiter, mitarbeiterin, praktikant, praktikantin, azubi,
    anfänger, neue, neuer, neuen, schule, universität, uni, arbeit, büro, firma, unternehmen,
    abteilung, job, thema, kurz, kurzen, kurze, kleine, kleinen, klein, woche, monat, morgen,
    heute, nächste, nächsten, montag, dienstag, mittwoch, donnerstag, freitag, zurzeit, momentan,
    blog, beitrag, rede, fragen, hintergrund
  `,
  placeholder: `
    irgendetwas, irgendwas, irgendwer, irgendjemand, irgendjemanden, irgendjemandem, irgendwo,
    irgendwann, irgendwie, jemand, jemanden, jemandem, sonst noch, ich möchte gern wissen,
    ich möchte gerne wissen, ich möchte wissen, ich würde gern wissen, ich würde gerne wissen,
    ich will wissen, ich wüsste gern, ich wüsste gerne, ich möchte fragen
  `,
  asking: `
    wer, wen, wem, wessen, welche, welcher, welches, welchem, welchen, wann, warum, wieso, weshalb,
    wo, woher, wohin, wie viel, wie viele, wieviel, wie lange, wie hoch, wie
  `,
  mention: "wort, wörter, von, heißt, bedeutet, sagt, begriff, mit, das, zu, statt, zwischen, für",
};
