import type { FillerPhrases } from "../filler-roles.ts";

export const dutchFillers: FillerPhrases = {
  glue: `
    de, het, een, t, n, en, of, maar, dus, ook, nog, al, even, eens, heel, erg, zeer, wel, goed,
    dat, die, dit, deze, daar, er, hier, is, zijn, ben, bent, was, wordt, worden, heb, hebt, heeft,
    hebben, had, je, jij, jou, jouw, u, uw, jullie, hij, ze, zij, zich, niet, geen, nooit, als,
    indien, omdat, want, om, te, van, voor, op, aan, bij, naar, over, uit, tot, door, met, zonder,
    tussen, alleen, enkel, uitsluitend, gewoon, kan, kunt, kun, kunnen, mogelijk, wil, wilt, zou,
    zouden, graag, moet, mag, alle, alles, elke, ieder, nu, ja, nee, ok, oké, zo, zodat, anders,
    iets, wat meer, wat, enige, enkele, liefst, waar mogelijk, zoveel mogelijk, daarbij, daarvoor,
    dan, maak, toevallig, misschien
  `,
  self: "ik, mij, me, mijn, m n, wij, we, ons, onze, als",
  modal: `
    kun je, kan je, kunt u, kan u, kunnen jullie, zou je, zou u, zouden jullie, zou je kunnen,
    zou u kunnen, wil je, wilt u, kan ik, mag ik, zou ik kunnen, kunnen we, kan iemand, zou iemand,
    is het mogelijk, zou het mogelijk zijn, kun jij, kan jij, zou jij, je kunt, u kunt,
    vind je het erg
  `,
  please: `
    alsjeblieft, alstublieft, aub, svp, a u b, graag, indien mogelijk, als het kan,
    als dat mogelijk is, als je tijd hebt, als u tijd heeft, zo vriendelijk, trouwens, gelieve,
    vriendelijk verzoek
  `,
  ask: `
    vertel me, vertel mij, vertelt u mij, zeg me, zeg mij, me vertellen, mij vertellen,
    ons vertellen, me zeggen, mij zeggen, leg uit, leg me uit, leg eens uit, uitleggen,
    me uitleggen, mij uitleggen, uit te leggen, toon me, laat me zien, laat mij zien,
    me laten zien, laat me weten, laat mij weten, me laten weten, geef me, geef mij, me geven,
    help me, help mij, me helpen, mij helpen, ons helpen, me helpen begrijpen, beschrijf,
    beschrijven, verduidelijk, licht toe, toelichten, herinner me, informeer mij, weet je, weet u,
    weten jullie, weet iemand, weet jij, ik vraag me af, ik vroeg me af, ik wil weten,
    ik wil graag weten, ik zou graag willen weten, ik zou willen weten, ik zou graag weten,
    ik wilde vragen, ik wilde weten, ik wil vragen, wij willen graag weten, ik ben benieuwd,
    ik ben nieuwsgierig, ik heb een vraag, ik had een vraag, ik heb nog een vraag, een vraag,
    korte vraag, een korte vraag, snelle vraag, even een vraag, vraagje, mijn vraag is, mijn vraag,
    de vraag is
  `,
  learn: `
    weten, leren, vragen, begrijpen, te weten komen, erachter komen, uitzoeken, vinden, kennen,
    zeggen, vertellen, meer weten, beter begrijpen
  `,
  after: "of, dat, me, mij, ons, meer, over, alsjeblieft, alstublieft, eens, even",
  greeting: `
    hallo, hoi, hey, hé, goedemorgen, goedemiddag, goedenavond, goedendag, goeiemorgen, dag, beste,
    geachte, geachte heer, geachte mevrouw, geachte heer of mevrouw, lieve, hallo allemaal,
    hoi allemaal, hoe gaat het, hoe gaat het met je, hoe gaat het met u, hoe is het, ik hoop,
    hopelijk, sorry, excuses, excuseer, pardon, neem me niet kwalijk, het spijt me, vraag
  `,
  closing: `
    bedankt, dank je, dank je wel, dankjewel, dank u, dank u wel, dankuwel, dank, heel erg bedankt,
    hartelijk dank, veel dank, hartelijk bedankt, alvast bedankt, bij voorbaat dank, dankbaar,
    ik waardeer, groet, groeten, groetjes, met vriendelijke groet, met vriendelijke groeten,
    vriendelijke groet, vriendelijke groeten, mvg, hoogachtend, tot ziens, doei, tot snel,
    fijne dag, een fijne dag, nog een fijne dag, prettige dag, merci
  `,
  courtesy: `
    alvast, bij voorbaat, voorbaat, storen, stoor, storing, tijd, moeite, geduld, hulp,
    vriendelijk, vriendelijke, hartelijk, gaat, goed, dag, ochtend, allemaal, iedereen, team, weer,
    opnieuw, assistent, bericht, reactie, domme, stomme, dat
  `,
  verb: `
    antwoord, antwoordt, antwoorden, beantwoord, beantwoorden, reageer, reageren, schrijf,
    schrijft, schrijven, formatteer, formuleer, formuleren, geef, geven, presenteer, presenteren,
    toon, houd, hou, houden, gebruik, gebruiken, lijst, som, zet, zetten, maak, maken, beperk,
    beperken, vermijd, vermijden, citeer, citeren, vermeld, vermelden, noem, noemen, voeg, toe,
    wees, blijf, structureer, orden, baseer, baseren, raadpleeg, raadplegen, zoek, zoeken, kijk,
    kijken, lees, controleer, verzin, verzinnen, gok, gokken, zeg, denk, spreek, vertaal, vat,
    samen, lever
  `,
  answer: `
    antwoord, antwoorden, het antwoord, je antwoord, uw antwoord, reactie, reacties, uitleg,
    resultaat, resultaten, uitvoer, bewering, beweringen, vraag, vragen, volgende vraag
  `,
  adverb: `
    kort, bondig, kort en bondig, kort en krachtig, beknopt, in het kort, in kort bestek,
    in een notendop, in detail, gedetailleerd, uitgebreid, uitvoerig, stap voor stap, puntsgewijs,
    punt voor punt, in eenvoudige woorden, in eenvoudige taal, in simpele woorden, in gewone taal,
    in eenvoudige bewoordingen, in begrijpelijke taal, in je eigen woorden, in eigen woorden,
    in enkele woorden, in een paar woorden, als lijst, als een lijst, als tabel, als een tabel,
    als opsomming, als een opsomming, in lijstvorm, in tabelvorm, in de vorm van een lijst,
    in de vorm van een tabel, in de vorm van een opsomming, met opsommingstekens, in punten,
    met voorbeelden, met een voorbeeld, met bronvermelding, alsof ik vijf ben, alsof ik 5 ben,
    als voor een kind, zo kort mogelijk, letterlijk
  `,
  manner: `
    korte, korter, bondig, bondige, beknopte, gedetailleerde, uitgebreide, opsomming,
    opsommingstekens, opsommingslijst, bullets, bulletpoints, bullet points, genummerde lijst,
    eenvoudige woorden, eenvoudige taal, stap voor stap, jargon, vakjargon, verzin niets,
    niets verzinnen, niet weet, niet zeker, niet zeker weet, hallucineer, speculeer, eerlijk,
    algemene kennis, voorkennis, ja of nee, formele toon, vriendelijke toon, beleefd,
    bronvermelding, bronvermeldingen, paginanummers, paginanummer, stapsgewijs
  `,
  form: `
    lijst, lijsten, lijstje, tabel, tabellen, formaat, vorm, opmaak, kop, koppen, kopjes, titels,
    vet, vetgedrukt, cursief, nederlands, engels, duits, frans, spaans, italiaans, portugees,
    arabisch, chinees, russisch, turks, japans, taal, stijl, toon, eenvoudig, eenvoudige, simpel,
    simpele, duidelijk, duidelijke, helder, heldere, precies, volledig, volledige, lang, lange,
    regel, regels, punt, punten, voorbeeld, voorbeelden, bron, bronnen, citaat, citaten,
    verwijzing, verwijzingen, passage, passages, pagina, bladzijde, formeel, informeel, genummerd,
    genummerde, gestructureerd, maximaal, beginner, kind, details, feiten, volgorde, zeker, niets,
    naam, getal, datum
  `,
  unit: `
    zin, zinnen, woord, woorden, alinea, alinea s, paragraaf, paragrafen, tekens, regels, punten,
    opsommingspunten
  `,
  amount: `
    een, één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien, vijftig, honderd, paar,
    een paar, enkele, maximaal, hoogstens, ten hoogste, minstens, niet meer dan, minder dan,
    meer dan, ongeveer, circa, of, tot, enkel, korte, eenvoudige
  `,
  lead: "in, als, met, op, via, zonder, onder, binnen, volgens",
  relation: `
    op basis van, gebaseerd op, aan de hand van, volgens, afgaande op, uitgaande van, gezien,
    gelet op, met behulp van, uit, rekening houdend met, overeenkomstig, naar aanleiding van,
    kijkend naar, conform, gebruikmakend van
  `,
  source: `
    document, documenten, bestand, bestanden, kennisbank, kennisbasis, bijlage, bijlagen,
    werkruimte, context, bron, bronnen, bronmateriaal, pdf, pdf s, uploads, stukken
  `,
  matter: `
    tekst, teksten, materiaal, inhoud, gegevens, informatie, documentatie, pagina s, passages,
    artikel, artikelen, data, database
  `,
  given: `
    geüpload*, opgeladen, verstrekt*, aangeleverd*, bijgevoegd*, bijgesloten, gegeven,
    bovenstaand*, onderstaand*, volgend*, beschikbar*, beschikbaar, gedeeld*, aanwezig*,
    die ik heb geüpload, die je hebt, meegeleverd*, hierboven, hieronder
  `,
  purpose: `
    bereid, voorbereiden, voor te bereiden, bereiden, voor, schrijf, schrijven, werk, werken,
    werk aan, studeer, studeren, leer, onderzoek, onderzoeken, zoek, zoeken, plan, organiseer,
    stel, maak, geef, hulp, wat hulp, hulp nodig, nodig, kan wel, gebruiken, probeer,
    geïnteresseerd, nieuw, nieuwe, bezig, bezig met, voorbereiding
  `,
  setting: `
    praatje, presentatie, lezing, toespraak, voordracht, korte, kort, klein, kleine, essay,
    artikel, verslag, rapport, scriptie, werkstuk, opdracht, huiswerk, project, examen, tentamen,
    toets, quiz, cursus, les, college, seminar, workshop, training, sessie, vergadering, interview,
    collega, collega s, team, baas, manager, klant, klanten, vrienden, familie, kinderen, student,
    studente, studenten, leerling, leerlingen, docent, docente, leraar, lerares, onderzoeker,
    journalist, medewerker, werknemer, stagiair, stagiaire, beginner, school, universiteit, werk,
    kantoor, bedrijf, afdeling, onderwerp, week, volgende, morgen, vandaag, maand, momenteel,
    maandag, dinsdag, woensdag, donderdag, vrijdag, blog
  `,
  placeholder: "iemand, wat nog meer, wie nog meer, wie dan ook, ergens",
  asking: "wie, welke, welk, wanneer, waarom, hoeveel, hoe lang, hoe, waarvoor, wiens",
  mention: "woord, woorden, van, betekent, zeg je, term, voor",
};
