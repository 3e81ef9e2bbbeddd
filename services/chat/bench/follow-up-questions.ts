/**
 * Two consecutive questions, the second of which makes no sense without the first, and the
 * Cranfield text that answers the second.
 */
export interface FollowUp {
  first: string;
  second: string;
  document: string;
}

export const followUps: FollowUp[] = [
  {
    first: "How does a propeller slipstream change the lift of a wing?",
    second: "And was that checked against potential flow theory?",
    document: "1",
  },
  {
    first:
      "Is there a similarity between hypersonic flow over a blunt-nosed slender body and a blast wave?",
    second: "How much does its nose contribute to the drag?",
    document: "25",
  },
  {
    first:
      "How can heat transfer be calculated for a laminar boundary layer with an arbitrary surface temperature?",
    second: "For which Prandtl numbers does it hold?",
    document: "49",
  },
  {
    first: "Is the laminar boundary layer of a compressible gas stable against small disturbances?",
    second: "Which method was used to find that out?",
    document: "73",
  },
  {
    first: "How does a viscous flow near a surface interact with an isentropic outer stream?",
    second: "Can it be extended to curved surfaces?",
    document: "97",
  },
  {
    first: "Which theory predicts the base pressure in transonic and supersonic flow?",
    second: "What components does its model have?",
    document: "121",
  },
  {
    first:
      "What formula gives the skin friction on a flat plate with a laminar compressible boundary layer?",
    second: "And with radiation?",
    document: "145",
  },
  {
    first: "What happens when a hot gas suddenly touches a cold solid?",
    second: "How fast does the wave there travel?",
    document: "169",
  },
  {
    first:
      "Can the shock-expansion method predict the flow about curved airfoils at high supersonic speeds?",
    second: "Up to which deflection angles is that true?",
    document: "193",
  },
  {
    first: "How is the flow pattern in a converging-diverging nozzle predicted?",
    second: "What does it assume of the expansion?",
    document: "217",
  },
  {
    first:
      "Is there a theory of laminar mixing between a stream with a boundary layer and a fluid at rest?",
    second: "Whose methods does it follow?",
    document: "241",
  },
  {
    first: "What instabilities come from shock waves that meet the boundary layer of an aerofoil?",
    second: "Do they make the control surfaces oscillate?",
    document: "265",
  },
  {
    first: "How does the vortex sheet behind a slender cruciform wing roll up?",
    second: "How many vortices were used to calculate this?",
    document: "289",
  },
  {
    first:
      "Which forms of the basic equations of transonic flow about thin wings have been proposed?",
    second: "Why is one of them preferred?",
    document: "313",
  },
  {
    first: "Does gas injection on a cone change the transition of the boundary layer?",
    second: "At what Mach number was it tried?",
    document: "337",
  },
  {
    first:
      "Has the flow of a viscous liquid past a flat plate at small Reynolds number been recalculated?",
    second: "Does it agree with the earlier ones?",
    document: "361",
  },
  {
    first:
      "How is the base pressure calculated when a supersonic stream meets a subsonic jet behind an airfoil?",
    second: "And how well does this agree with experiments?",
    document: "409",
  },
  {
    first:
      "How can the flow field behind the wings of a wing-body combination be predicted with vortex theory?",
    second: "How is the wake represented in it?",
    document: "433",
  },
  {
    first:
      "Does the laminar boundary-layer solution have a singularity at the position of separation?",
    second: "Who came upon it first?",
    document: "457",
  },
  {
    first: "What does injecting hydrogen into a laminar boundary layer do to skin friction?",
    second: "Why this gas?",
    document: "481",
  },
  {
    first:
      "Where does boundary-layer transition occur on sharp-nosed cones in ballistics range tests?",
    second: "How was their wall temperature changed?",
    document: "505",
  },
  {
    first:
      "How do foreign gases injected into a decelerating laminar boundary layer in a tube act?",
    second: "Which ones were tried?",
    document: "529",
  },
  {
    first: "How do glassy materials ablate around blunt bodies?",
    second: "What about turbulent heating?",
    document: "553",
  },
  {
    first: "What is the similarity parameter for hypersonic flow around slender bodies?",
    second: "Is it the same as in a nonsteady problem of two dimensions?",
    document: "577",
  },
  {
    first: "How is the flow past a slender delta wing with leading edge separation calculated?",
    second: "What stands for the core in that model?",
    document: "601",
  },
  {
    first: "What is the critical bending stress of a circular cylindrical shell?",
    second: "Is it higher than in compression?",
    document: "841",
  },
  {
    first: "What governs the thermal fatigue of nickel-base alloys?",
    second: "Where do the cracks start in them?",
    document: "865",
  },
  {
    first: "Is there a simplified way to find the buckling stresses of thin cylindrical shells?",
    second: "On whose equation does it rest?",
    document: "889",
  },
  {
    first: "What are the natural frequencies of a beam on many supports?",
    second: "What becomes of them when there are infinitely many?",
    document: "913",
  },
  {
    first: "When does a truncated conical shell buckle in torsion?",
    second: "To which cylinder is it equal?",
    document: "937",
  },
  {
    first: "How does a compressible turbulent jet mix at constant pressure?",
    second: "What role does the initial layer play there?",
    document: "961",
  },
  {
    first: "How are the hub shroud profiles of a centrifugal impeller designed?",
    second: "And are the forces from the blades included?",
    document: "985",
  },
  {
    first: "How should tubes under uniform external pressure be designed?",
    second: "Which of their imperfections is the most common?",
    document: "1033",
  },
  {
    first: "How can an annular disk spring be proportioned?",
    second: "What was wrong with the older formulas for it?",
    document: "1057",
  },
  {
    first:
      "Does a steady solution exist for the flow around a circular cylinder at Reynolds number 40?",
    second: "What does it tend to?",
    document: "1081",
  },
  {
    first: "At what hydrostatic pressure does a ring-stiffened cylindrical shell become unstable?",
    second: "How are its ends supported in the solution?",
    document: "1129",
  },
  {
    first: "Do experiments in a choked wind tunnel simulate a free stream at Mach number 1?",
    second: "Are they as accurate as those with open walls?",
    document: "1153",
  },
  {
    first: "What does rapid heating do to the strength of airframe beams?",
    second: "And to cylinders?",
    document: "1177",
  },
  {
    first: "Which slender shapes have the least drag under the Newton-Busemann law?",
    second: "What had to be held constant for that?",
    document: "1201",
  },
  {
    first:
      "How do adverse pressure gradients change turbulent boundary layers in supersonic streams?",
    second: "Between which Mach numbers were they tested?",
    document: "1225",
  },
  {
    first: "What drag does a thin charged conductor have in a plasma flow?",
    second: "Does the Coulomb part of it vanish?",
    document: "1249",
  },
  {
    first: "How does a magnetic field change the formation of Couette flow?",
    second: "And when the induced electric field does not vanish?",
    document: "1273",
  },
  {
    first: "Can coatings of elastic material prevent transition to turbulent flow?",
    second: "Which functions are used to show this?",
    document: "1321",
  },
  {
    first: "What does aerodynamic lift do for entry into the earth’s atmosphere?",
    second: "How large a ratio is needed for that?",
    document: "1345",
  },
  {
    first: "When is Stokes’ formula for the resistance of a slowly moving sphere valid?",
    second: "What was it used to estimate?",
    document: "1369",
  },
  {
    first: "How is heat transfer estimated at the stagnation point of a body of revolution?",
    second: "Why do values of plates not serve there?",
    document: "1393",
  },
];
