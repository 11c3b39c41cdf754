package work

// How much of the work is done. run.sh writes another number for each side.
const permille = 1000
