"""From the outcomes of tables to who stands where: pure reckoning, exact, in fractions. It knows no events and no tournament."""
