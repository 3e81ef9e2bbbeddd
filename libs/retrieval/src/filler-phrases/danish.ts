import type { FillerPhrases } from "../filler-roles.ts";

export const danishFillers: FillerPhrases = {
  glue: `
    en, et, den, det, de, dem, denne, dette, disse, og, eller, men, så, også, bare, kun,
    udelukkende, meget, rigtig, lidt, gerne, at, som, der, er, var, være, ville, havde, har, have,
    du, dig, din, dit, dine, i, jer, jeres, sig, man, ikke, ingen, aldrig, hvis, om, fordi, for,
    af, til, fra, på, med, uden, ved, over, under, kan, kunne, muligt, vil, skal, skulle, må, får,
    alle, alt, hver, her, nu, ja, nej, ok, da, ellers, i stedet, noget, nogle, helst, venlig, lige,
    tilfældigvis, måske
  `,
  self: "jeg, mig, min, mit, mine, vi, os, vores, som",
  modal: `
    kan du, kan i, kunne du, kunne i, vil du, vil i, ville du, kan jeg, må jeg, kan vi, kan man,
    kan nogen, er det muligt, ville det være muligt, har du mulighed for, du kan, kunne nogen,
    vil du være sød at
  `,
  please: `
    venligst, vær så venlig, vær så venlig at, vær venlig at, vær sød at, tak, om muligt,
    hvis muligt, hvis det er muligt, hvis du har tid, for resten, i øvrigt
  `,
  ask: `
    fortæl, fortæl mig, fortælle mig, fortælle os, sig, sig mig, sige mig, forklar, forklar mig,
    forklare, forklare mig, forklar for mig, vis mig, vise mig, giv mig, give mig, hjælp mig,
    hjælpe mig, hjælpe os, hjælpe mig med at forstå, hjælpe mig med at finde ud af, beskriv,
    beskrive, tydeliggør, uddyb, mind mig om, lad mig vide, ved du, ved i, ved nogen,
    jeg spekulerer på, jeg spekulerede på, jeg undrer mig over, jeg vil vide, jeg vil gerne vide,
    jeg ville vide, jeg kunne godt tænke mig at vide, jeg vil gerne spørge, jeg er nysgerrig,
    jeg er nysgerrig på, jeg har et spørgsmål, jeg har spørgsmål, et spørgsmål, hurtigt spørgsmål,
    et hurtigt spørgsmål, kort spørgsmål, mit spørgsmål er, mit spørgsmål, spørgsmålet er
  `,
  learn: "vide, lære, spørge, forstå, finde ud af, finde, få at vide, sige, kende, vide mere",
  after: "om, at, mig, os, mere, hvorvidt, tak",
  greeting: `
    hej, hejsa, hejs, hallo, god morgen, godmorgen, god aften, goddag, god dag, hej med dig,
    hej alle, hej igen, hej allesammen, kære, hvordan går det, hvordan har du det, jeg håber,
    håber, beklager, undskyld, undskyld mig, spørgsmål, dav
  `,
  closing: `
    tak, mange tak, tusind tak, tak skal du have, på forhånd tak, tak på forhånd, tak for hjælpen,
    taknemmelig, jeg sætter pris på, sætter pris på, hilsen, venlig hilsen, med venlig hilsen,
    mange hilsner, de bedste hilsner, mvh, vh, kh, farvel, hav en god dag, hav en dejlig dag,
    ha en god dag, vi ses
  `,
  courtesy: `
    på forhånd, forhånd, forstyrre, forstyrrer, forstyrrelsen, ulejlige, tid, hjælp, hjælpen,
    tålmodighed, venlig, går, godt, dag, dagen, alle sammen, allesammen, teamet, igen, assistent,
    besked, svar, dumt
  `,
  verb: `
    svar, svare, svarer, besvar, besvare, skriv, skrive, formater, formatere, giv, give, præsenter,
    præsentere, vis, vise, hold, holde, brug, bruge, list, oplist, lav, lave, begræns, undgå,
    citer, citere, angiv, angive, nævn, inkluder, vær, strukturer, formuler, tilføj, baser, søg,
    se, kig, læs, tjek, opfind, opfinde, find på, finde på, gæt, gætte, sig, tænk, tal, oversæt,
    opsummer, lever
  `,
  answer: `
    svar, svaret, svarene, dit svar, forklaring, forklaringen, resultat, resultatet, påstand,
    påstande, spørgsmålet, følgende spørgsmål
  `,
  adverb: `
    kort, kortfattet, kort og præcist, kort og klart, kort fortalt, i korte træk, i detaljer,
    detaljeret, udførligt, uddybende, trin for trin, skridt for skridt, punkt for punkt, punktvis,
    med enkle ord, i enkle vendinger, på en enkel måde, på let dansk, i et enkelt sprog,
    med egne ord, med få ord, i punktform, i listeform, i tabelform, som en liste, som liste,
    som en punktliste, som punktliste, som en punktopstilling, som punktopstilling, som en tabel,
    som tabel, i form af en liste, i form af en punktliste, i form af en tabel, med eksempler,
    med kilder, med kildehenvisning, som om jeg var fem år, som til et barn, ordret,
    så kort som muligt
  `,
  manner: `
    korte, kortere, koncis, kortfattede, detaljerede, udførlige, punktliste, punktlister,
    punktopstilling, punktform, punkter, nummereret liste, enkle ord, trin, fagsprog, jargon,
    find ikke på, find på, finde på, opfind, ikke ved, ved det ikke, ved ikke, ikke sikker,
    ikke er sikker, hallucinér, spekulér, ærlig, almen viden, ja eller nej, formel tone,
    venlig tone, høfligt, kildehenvisning*, sidetal
  `,
  form: `
    liste, lister, tabel, tabeller, format, form, overskrift, overskrifter, fed, kursiv, dansk,
    engelsk, tysk, fransk, spansk, svensk, norsk, finsk, arabisk, kinesisk, russisk, sprog, stil,
    tone, enkel, enkelt, enkle, tydelig, tydeligt, klart, præcist, præcis, fuldstændig, lang,
    langt, linje, linjer, punkt, eksempel, eksempler, kilde, kilder, kilderne, citat, citater,
    henvisning, henvisninger, side, sider, formelt, uformelt, nummereret, struktureret, maks,
    begynder, barn, børn, detaljer, fakta, rækkefølge, sikker
  `,
  unit: "sætning, sætninger, ord, afsnit, tegn, linjer, punkter",
  amount: `
    en, et, to, tre, fire, fem, seks, syv, otte, ni, ti, halvtreds, hundrede, nogle, få, nogle få,
    et par, maks, maksimalt, højst, mindst, ikke mere end, mindre end, mere end, omkring, cirka,
    eller, til, enkelt, korte, enkle
  `,
  lead: "i, som, på, med, uden, inden for, ved, under",
  relation: `
    baseret på, ud fra, ifølge, i henhold til, med udgangspunkt i, på grundlag af, på baggrund af,
    ved hjælp af, fra, under hensyntagen til
  `,
  source: `
    dokument, dokumentet, dokumenter, dokumenterne, fil, filen, filer, filerne, vidensbase,
    vidensbasen, vidensdatabasen, bilag, bilaget, bilagene, konteksten, kilde, kilder, kilderne,
    pdf, pdf en, arbejdsområdet
  `,
  matter: `
    tekst, teksten, tekster, teksterne, materiale, materialet, indhold, indholdet, data,
    information, informationen, oplysninger, oplysningerne, dokumentation, dokumentationen,
    siderne, artiklen, databasen
  `,
  given: `
    uploadet, uploadede, oploadede, vedhæftet, vedhæftede, vedlagte, givet, givne, ovenstående,
    nedenstående, følgende, tilgængelig*, delte, som jeg har uploadet, jeg har uploadet, ovenfor,
    nedenfor, du har, angivne, medfølgende, leverede
  `,
  purpose: `
    forbereder, forberede, skriver, skrive, arbejder, arbejder på, arbejder med, studerer, studere,
    læser, forsker, leder, søger, planlægger, laver, holder, hjælp, lidt hjælp, brug, har brug for,
    har brug for hjælp, kunne bruge, prøver, interesseret, ny, nye, lærer, i gang med
  `,
  setting: `
    foredrag, oplæg, præsentation, tale, forelæsning, kort, lille, essay, stil, artikel, rapport,
    afhandling, opgave, speciale, lektier, projekt, eksamen, prøve, kursus, time, seminar,
    workshop, oplæring, møde, interview, kollega, kolleger, kollegaer, kollegerne, team, chef,
    kunde, kunder, venner, familie, børn, studerende, elev, elever, lærer, forsker, journalist,
    ansat, medarbejder, praktikant, begynder, skole, skolen, universitetet, arbejde, job, kontor,
    firma, virksomhed, afdeling, emne, uge, næste, i morgen, i dag, måned, lige nu, mandag,
    tirsdag, onsdag, torsdag, fredag, blog
  `,
  placeholder: "nogen, hvem som helst, hvad mere, hvad andet, hvem ellers",
  asking: `
    hvem, hvad, hvilken, hvilket, hvilke, hvornår, hvorfor, hvordan, hvor, hvor mange, hvor meget
  `,
  mention: "ordet, ord, af, betyder, siger man, begrebet, på",
};
