"""The closed forms of robot limbs: chains of hinges given as screws, solved by subproblems, families in arms.py."""
